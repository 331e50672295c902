#include "ElfFile.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>

#include "Check.h"

namespace eagle::host {
namespace {

[[noreturn]] void refuse_short(const std::string& path, const char* what, std::uint64_t end, std::uint64_t bytes) {
    refuse("cannot load '" + path + "': it is truncated: " + what + " ends at byte " + std::to_string(end) +
           ", and the file has " + std::to_string(bytes) + " bytes; build or copy it again");
}

}  // namespace

void refuse_truncated(const std::string& path, std::uint64_t bytes) {
    std::ifstream file(path, std::ios::binary);
    ElfW(Ehdr) head{};
    if (!file.read(reinterpret_cast<char*>(&head), sizeof head)) return;
    if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_phentsize != sizeof(ElfW(Phdr))) return;
    std::uint64_t table = std::uint64_t(head.e_phnum) * sizeof(ElfW(Phdr));
    if (head.e_phoff > bytes || table > bytes - head.e_phoff) {
        refuse_short(path, "its program header", head.e_phoff + table, bytes);
    }
    file.seekg(static_cast<std::streamoff>(head.e_phoff));
    for (int i = 0; i < head.e_phnum; ++i) {
        ElfW(Phdr) segment{};
        if (!file.read(reinterpret_cast<char*>(&segment), sizeof segment)) return;
        if (segment.p_type != PT_LOAD && segment.p_type != PT_DYNAMIC) continue;
        if (segment.p_offset > bytes || segment.p_filesz > bytes - segment.p_offset) {
            refuse_short(path, "a segment", segment.p_offset + segment.p_filesz, bytes);
        }
    }
}

}  // namespace eagle::host
