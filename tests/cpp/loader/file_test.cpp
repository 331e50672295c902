// Files that are no library, or not a whole one, and paths that are unusual.
#include <sys/stat.h>

#include "Place.h"
#include "Refusal.h"

using eagle::Backend;
using loader_test::animal;
using loader_test::bytes_of;
using loader_test::expect_words;
using loader_test::Place;
using loader_test::refusal;

namespace {

// After each of them the kind can still be loaded from a good file.
void expect_still_loads() { EXPECT_EQ(Backend::load("zoo", animal("healthy")).kind(), "zoo"); }

TEST(File, Text) {
    const Place place;
    const auto file =
        place.write("libeagle_zoo.so", "This is a text, and long enough to hold the header of a library.\n");
    expect_words(refusal(file), {file.string(), "is no shared library", "ELF", "needs a shared library file"});
    expect_still_loads();
}

TEST(File, ShorterThanAnyHeader) {
    const Place place;
    expect_words(refusal(place.write("a.so", "hi")), {"is no shared library"});
    expect_words(refusal(place.write("b.so",
                                     "\x7f"
                                     "ELF")),
                 {"is cut short: it has 4 bytes", "need 64"});
}

TEST(File, Empty) {
    const Place place;
    const auto file = place.write("libeagle_zoo.so", "");
    expect_words(refusal(file), {file.string(), "is empty; needs a shared library file"});
    expect_still_loads();
}

TEST(File, Missing) {
    const Place place;
    const auto file = place / "libeagle_zoo.so";
    expect_words(refusal(file), {"no usable backend of kind 'zoo'", "argument: " + file.string() + ": not there"});
}

TEST(File, Directory) {
    const Place place;
    std::filesystem::create_directory(place / "libeagle_zoo.so");
    expect_words(refusal(place / "libeagle_zoo.so"), {"is a directory; needs a shared library file"});
}

TEST(File, Pipe) {
    const Place place;
    const auto file = place / "libeagle_zoo.so";
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    expect_words(refusal(file), {"is not a regular file; needs a shared library file"});
}

// Wherever a real library is cut, the process lives and the refusal says how many bytes there are.
TEST(File, CutShort) {
    const Place place;
    const std::string whole = bytes_of(animal("healthy"));
    ASSERT_GT(whole.size(), 4096u);
    for (const std::size_t bytes :
         {std::size_t{63}, std::size_t{64}, std::size_t{300}, std::size_t{4096}, whole.size() / 2, whole.size() - 1}) {
        const auto file = place.write("cut_" + std::to_string(bytes) + ".so", whole.substr(0, bytes));
        expect_words(refusal(file),
                     {"is cut short: it has " + std::to_string(bytes) + " bytes", "copy or build it again"});
    }
    expect_still_loads();
}

// A copy of a good library whose header says something else.
std::filesystem::path with_header_byte(const Place& place, std::size_t at, int value) {
    std::string bytes = bytes_of(animal("healthy"));
    bytes[at] = static_cast<char>(value);
    return place.write("libeagle_zoo.so", bytes);
}

constexpr std::size_t elf_class = 4, byte_order = 5, machine = 18;

TEST(File, OfAnotherMachine) {
    const Place place;
    const auto own = static_cast<unsigned char>(bytes_of(animal("healthy"))[machine]);
    const bool is_arm = own == 183;
    const auto file = with_header_byte(place, machine, is_arm ? 62 : 183);
    expect_words(
        refusal(file),
        {file.string(), is_arm ? "was built for x86-64 (ELF machine 62)" : "was built for AArch64 (ELF machine 183)",
         "needs " + std::string(is_arm ? "AArch64" : "x86-64"), "build it for this machine"});
    expect_still_loads();
}

TEST(File, OfAMachineWithoutAName) {
    const Place place;
    expect_words(refusal(with_header_byte(place, machine, 94)), {"was built for ELF machine 94, needs "});
}

TEST(File, OfAnotherClassOrByteOrderKeepsTheSystemsWords) {
    for (const std::size_t at : {elf_class, byte_order}) {
        const Place place;
        const auto file = with_header_byte(place, at, at == elf_class ? 1 : 2);
        expect_words(refusal(file), {"refused: the system cannot open it", "the system says: " + file.string()});
    }
    expect_still_loads();
}

TEST(File, SpacesAndUnicodeInThePath) {
    const Place place;
    const auto file = place.copy(animal("healthy"), "un dossier spécial/鷲 backend/libeagle_zoo.so");
    const auto backend = Backend::load("zoo", file);
    EXPECT_EQ(backend.path(), file);
    EXPECT_EQ(backend.build_info().eagle_version, "9.8.7");
}

TEST(File, ARelativeArgumentIsBelowTheWorkingDirectory) {
    const Place place;
    const auto file = place.copy(animal("healthy"), "libeagle_zoo.so");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(place.path());
    const auto backend = Backend::load("zoo", "libeagle_zoo.so");
    std::filesystem::current_path(before);
    EXPECT_EQ(backend.path(), file);
}

TEST(File, AnEmptyArgumentIsRefused) {
    try {
        (void)Backend::load("zoo", "");
        FAIL() << "an empty path was taken";
    } catch (const eagle::InvalidArgument& error) {
        expect_words(error.what(), {"the path of the backend 'zoo' is empty", "needs the path of its file"});
    }
}

}  // namespace
