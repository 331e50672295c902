#include "backend/ElfFile.h"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <system_error>
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
    // Of another class or machine: the system's own words say it better.
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) return {};
    std::vector<Elf64_Phdr> segments(header.e_phnum);
    const std::uint64_t table_end = sum(header.e_phoff, segments.size() * sizeof(Elf64_Phdr));
    if (table_end > bytes) return cut_short(bytes, table_end);
    if (!read_at(in, header.e_phoff, segments.data(), segments.size())) return cut_short(bytes, table_end);
    const std::uint64_t needed = claimed_bytes(header, segments);
    return needed > bytes ? cut_short(bytes, needed) : std::string();
}

}  // namespace eagle::detail
