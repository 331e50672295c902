#include "backend/ElfFile.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace eagle::detail {
namespace {

template <class T>
bool read_at(std::ifstream& in, std::uint64_t offset, T* into, std::size_t n) {
    in.clear();
    in.seekg(static_cast<std::streamoff>(offset));
    in.read(reinterpret_cast<char*>(into), static_cast<std::streamsize>(n * sizeof(T)));
    return in.good();
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

// The number of bytes that the headers say the file has at least.
std::uint64_t claimed_bytes(const Elf64_Ehdr& header, const std::vector<Elf64_Phdr>& segments) {
    std::uint64_t end = sizeof header;
    for (const auto& segment : segments) end = std::max(end, sum(segment.p_offset, segment.p_filesz));
    if (header.e_shoff != 0) {
        end = std::max(end, sum(header.e_shoff, std::uint64_t{header.e_shentsize} * header.e_shnum));
    }
    return end;
}

#if defined(__x86_64__)
constexpr unsigned own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned own_machine = EM_AARCH64;
#else
constexpr unsigned own_machine = EM_NONE;  // unknown here: the system judges
#endif

std::string machine_name(unsigned machine) {
    constexpr std::pair<unsigned, const char*> known[] = {
        {EM_386, "i386"},    {EM_ARM, "ARM"},      {EM_X86_64, "x86-64"}, {EM_AARCH64, "AArch64"},
        {EM_PPC64, "PPC64"}, {EM_RISCV, "RISC-V"}, {EM_S390, "s390"}};
    for (const auto& [number, name] : known) {
        if (number == machine) return std::string(name) + " (ELF machine " + std::to_string(machine) + ")";
    }
    return "ELF machine " + std::to_string(machine);
}

// The system says of such a file that it is not there.
std::string fault_of_machine(const Elf64_Ehdr& header) {
    if (own_machine == EM_NONE || header.e_machine == own_machine) return {};
    return "was built for " + machine_name(header.e_machine) + ", needs " + machine_name(own_machine) +
           "; build it for this machine";
}

std::string cut_short(std::uint64_t found, std::uint64_t needed) {
    return "is cut short: it has " + std::to_string(found) + " bytes, its own headers need " + std::to_string(needed) +
           "; copy or build it again";
}

}  // namespace

std::string fault_of_shared_library(const std::filesystem::path& file) {
    std::error_code failed;
    const auto status = std::filesystem::status(file, failed);
    if (std::filesystem::is_directory(status)) return "is a directory; needs a shared library file";
    if (!std::filesystem::is_regular_file(status)) return "is not a regular file; needs a shared library file";
    const std::uint64_t bytes = std::filesystem::file_size(file, failed);
    std::ifstream in(file, std::ios::binary);
    if (failed || !in) return "cannot be read; needs a shared library file that this process may read";
    if (bytes == 0) return "is empty; needs a shared library file";

    Elf64_Ehdr header{};
    const bool whole_header = bytes >= sizeof header && read_at(in, 0, &header, 1);
    if (bytes < SELFMAG || !read_at(in, 0, header.e_ident, SELFMAG) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
        return "is no shared library: it does not begin with the bytes of an ELF file; needs a shared library file";
    }
    if (!whole_header) return cut_short(bytes, sizeof header);
    // Of another class: the system's own words say it.
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) return {};
    if (auto fault = fault_of_machine(header); !fault.empty()) return fault;
    std::vector<Elf64_Phdr> segments(header.e_phnum);
    const std::uint64_t table_end = sum(header.e_phoff, segments.size() * sizeof(Elf64_Phdr));
    if (table_end > bytes) return cut_short(bytes, table_end);
    if (!read_at(in, header.e_phoff, segments.data(), segments.size())) return cut_short(bytes, table_end);
    const std::uint64_t needed = claimed_bytes(header, segments);
    return needed > bytes ? cut_short(bytes, needed) : std::string();
}

}  // namespace eagle::detail
