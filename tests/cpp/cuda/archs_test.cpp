// build_info.archs against the device code that lies in the file, read from the file's own bytes: section .nv_fatbin of
// the ELF file, a header, and one entry a piece of code.
#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "../gpu/Client.h"

namespace {

using namespace client;

// As the compiler writes them: little-endian, without gaps.
struct FatHeader {
    std::uint32_t magic;
    std::uint16_t version, header_bytes;
    std::uint64_t bytes;  // of all entries
};
static_assert(sizeof(FatHeader) == 16);

struct FatEntry {
    std::uint16_t kind, version;
    std::uint32_t header_bytes;
    std::uint64_t bytes;  // of the code behind the header
    std::uint32_t compressed, options;
    std::uint16_t minor, major;
    std::uint32_t arch;  // of compute capability 9.0: 90
};
static_assert(sizeof(FatEntry) == 32);

constexpr std::uint32_t magic = 0xba55ed50;
constexpr std::uint16_t ptx = 1, cubin = 2;

template <class T>
T read(const std::string& bytes, std::size_t at) {
    T value;
    if (at + sizeof value > bytes.size()) throw std::out_of_range("the file ends within a header");
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

std::string section(const std::string& file, const std::string& name) {
    const auto header = read<Elf64_Ehdr>(file, 0);
    const auto at = [&](std::size_t i) { return read<Elf64_Shdr>(file, header.e_shoff + i * header.e_shentsize); };
    const Elf64_Shdr names = at(header.e_shstrndx);
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
        const Elf64_Shdr found = at(i);
        if (file.c_str() + names.sh_offset + found.sh_name == name) return file.substr(found.sh_offset, found.sh_size);
    }
    throw std::out_of_range("no section " + name);
}

// "sm_90" for code of a card, "compute_90" for PTX, in the order of the file.
std::vector<std::string> archs_in(const std::string& fat) {
    const auto header = read<FatHeader>(fat, 0);
    EXPECT_EQ(header.magic, magic);
    EXPECT_EQ(header.version, 1u);
    std::vector<std::string> found;
    const std::size_t end = header.header_bytes + header.bytes;
    std::size_t at = header.header_bytes;
    while (at < end) {
        const auto entry = read<FatEntry>(fat, at);
        EXPECT_TRUE(entry.kind == ptx || entry.kind == cubin) << entry.kind;
        EXPECT_GT(entry.bytes, 1000u);
        found.push_back((entry.kind == ptx ? "compute_" : "sm_") + std::to_string(entry.arch));
        at += entry.header_bytes + entry.bytes;
    }
    EXPECT_EQ(at, end);
    return found;
}

TEST(BuildInfo, NamesTheDeviceCodeThatIsInTheFileAndNoOther) {
    std::ifstream stream(EAGLE_GPU_BACKEND, std::ios::binary);
    const std::string file{std::istreambuf_iterator<char>(stream), {}};
    std::vector<std::string> found = archs_in(section(file, ".nv_fatbin"));
    auto info = make<struct eagle_backend_build_info>();
    EXPECT_OK(build_info(&info));
    std::istringstream words(info.archs);
    std::vector<std::string> named{std::istream_iterator<std::string>(words), {}};
    std::sort(found.begin(), found.end());
    std::sort(named.begin(), named.end());
    EXPECT_EQ(found, named);
    for (const char* wanted : {"sm_75", "sm_80", "sm_90", "sm_100", "sm_120", "compute_75"})
        EXPECT_NE(std::find(found.begin(), found.end(), wanted), found.end()) << wanted;
}

}  // namespace
