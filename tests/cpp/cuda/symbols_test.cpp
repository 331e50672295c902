// What libeagle_cuda finds by its name in its device code has a global symbol there, as the compiler writes it: read
// from the files of a compiler run of their own, since those in the library are compressed.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>

namespace {

template <class T>
T read(const std::string& bytes, std::size_t at) {
    T value;
    if (at + sizeof value > bytes.size()) throw std::out_of_range("the file ends within a header");
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

// By name, of every symbol that has one.
std::map<std::string, Elf64_Sym> symbols(const std::string& file) {
    const auto header = read<Elf64_Ehdr>(file, 0);
    const auto section = [&](std::size_t i) { return read<Elf64_Shdr>(file, header.e_shoff + i * header.e_shentsize); };
    std::map<std::string, Elf64_Sym> found;
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
        const Elf64_Shdr table = section(i);
        if (table.sh_type != SHT_SYMTAB) continue;
        const Elf64_Shdr names = section(table.sh_link);
        for (std::size_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
            const auto symbol = read<Elf64_Sym>(file, table.sh_offset + at);
            if (symbol.st_name != 0) found[file.c_str() + names.sh_offset + symbol.st_name] = symbol;
        }
    }
    return found;
}

class Symbols : public ::testing::TestWithParam<const char*> {};

TEST_P(Symbols, OfEveryKernelAreGlobal) {
    std::ifstream stream(GetParam(), std::ios::binary);
    const std::string file{std::istreambuf_iterator<char>(stream), {}};
    ASSERT_EQ(file.substr(0, SELFMAG), ELFMAG) << GetParam();
    const auto found = symbols(file);
    for (const char* name : {
#define EAGLE_KERNEL(name) #name,
#define EAGLE_GUARD_KERNEL(name) #name,
#include "eagle_kernels.def"
         }) {
        const auto symbol = found.find(name);
        ASSERT_NE(symbol, found.end()) << name;
        EXPECT_EQ(ELF64_ST_BIND(symbol->second.st_info), STB_GLOBAL) << name;
        EXPECT_EQ(ELF64_ST_TYPE(symbol->second.st_info), STT_FUNC) << name;
        EXPECT_NE(symbol->second.st_shndx, SHN_UNDEF) << name;
        EXPECT_GT(symbol->second.st_size, 0u) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(DeviceCode, Symbols, ::testing::Values(EAGLE_CUBIN_75, EAGLE_CUBIN_120));

}  // namespace
