// Shared objects as device code.
#include <dlfcn.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "Client.h"

using client::Launch;
using client::says;
namespace fs = std::filesystem;

namespace {

class Modules : public ::testing::Test {
  protected:
    void SetUp() override {
        char name[] = "/tmp/eagle-module-XXXXXX";
        ASSERT_NE(mkdtemp(name), nullptr);
        folder = name;
        file = folder / "kernel mit Umlaut \xc3\xa4.so";
    }
    void TearDown() override { fs::remove_all(folder); }

    // As a compiler does it: another file takes the place of the old one.
    void replace_with(const char* built) {
        fs::copy_file(built, folder / "next");
        fs::rename(folder / "next", file);
    }
    // As `cp` does it: the same file with other bytes.
    void overwrite_with(const char* built) {
        std::ifstream from(built, std::ios::binary);
        std::ofstream to(file, std::ios::binary | std::ios::trunc);
        to << from.rdbuf();
    }
    static eagle_backend_status try_load(const std::string& path, std::uint64_t* module) {
        auto desc = client::make<struct eagle_backend_sdk_module_desc>();
        desc.path = path.c_str();
        return client::sdk_module_load(&desc, module);
    }
    std::uint64_t load() const {
        std::uint64_t module = 0;
        EXPECT_EQ(try_load(file.string(), &module), EAGLE_BACKEND_OK) << client::last_error();
        return module;
    }
    static std::int64_t answer_of(std::uint64_t module) {
        std::uint64_t function = 0;
        EXPECT_EQ(client::sdk_module_function(module, "answer", &function), EAGLE_BACKEND_OK) << client::last_error();
        std::int64_t answer = -1, *to = &answer;
        Launch(reinterpret_cast<client::Entry>(function), 0, 1, 0, to).run();
        return answer;
    }
    static void unload(std::uint64_t module) {
        EXPECT_EQ(client::sdk_module_unload(module), EAGLE_BACKEND_OK) << client::last_error();
    }

    fs::path folder, file;
};

// The application, or a backend of another kind.
TEST_F(Modules, a_file_that_somebody_else_has_loaded_is_loaded_anew) {
    replace_with(EAGLE_MODULE_ONE);
    void* elsewhere = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(elsewhere, nullptr);
    const std::uint64_t same = load();
    EXPECT_EQ(answer_of(same), 1);
    unload(same);
    replace_with(EAGLE_MODULE_TWO);
    const std::uint64_t other = load();
    EXPECT_EQ(answer_of(other), 2);
    unload(other);
    dlclose(elsewhere);
}

TEST_F(Modules, functions_and_globals_are_found) {
    replace_with(EAGLE_MODULE_ONE);
    std::uint64_t module = load(), address = 0, bytes = 0;
    EXPECT_EQ(answer_of(module), 1);
    ASSERT_EQ(client::sdk_module_global(module, "which", &address, &bytes), EAGLE_BACKEND_OK);
    EXPECT_EQ(bytes, 8u);
    EXPECT_EQ(*reinterpret_cast<std::int64_t*>(address), 1);
    ASSERT_EQ(client::sdk_module_global(module, "large", &address, &bytes), EAGLE_BACKEND_OK);
    EXPECT_EQ(bytes, 1000u);
    unload(module);
}

TEST_F(Modules, a_second_load_is_a_second_handle_of_the_same_code) {
    replace_with(EAGLE_MODULE_ONE);
    std::uint64_t first = load(), second = load();
    EXPECT_NE(first, second);
    unload(first);
    EXPECT_EQ(answer_of(second), 1);
    unload(second);
}

TEST_F(Modules, a_replaced_file_gives_the_code_it_has_while_the_old_one_goes_on) {
    replace_with(EAGLE_MODULE_ONE);
    std::uint64_t first = load();
    replace_with(EAGLE_MODULE_TWO);
    std::uint64_t second = load();
    EXPECT_EQ(answer_of(first), 1);
    EXPECT_EQ(answer_of(second), 2);
    replace_with(EAGLE_MODULE_ONE);
    std::uint64_t third = load();
    EXPECT_EQ(answer_of(third), 1);
    unload(first);
    EXPECT_EQ(answer_of(second), 2);
    unload(second);
    EXPECT_EQ(answer_of(third), 1);
    unload(third);
}

TEST_F(Modules, a_file_that_was_replaced_after_an_unload_gives_its_code) {
    replace_with(EAGLE_MODULE_ONE);
    std::uint64_t first = load();
    EXPECT_EQ(answer_of(first), 1);
    unload(first);
    overwrite_with(EAGLE_MODULE_TWO);
    std::uint64_t second = load();
    EXPECT_EQ(answer_of(second), 2);
    unload(second);
}

TEST_F(Modules, a_file_that_was_written_over_while_it_is_loaded_is_refused) {
    replace_with(EAGLE_MODULE_ONE);
    std::uint64_t first = load(), second = 0;
    std::ofstream(file, std::ios::binary | std::ios::app) << "more bytes behind the code";
    EXPECT_TRUE(
        says(try_load(file.string(), &second), EAGLE_BACKEND_ERROR, "was written over while it is loaded from"));
    EXPECT_EQ(answer_of(first), 1);
    unload(first);
    second = load();
    EXPECT_EQ(answer_of(second), 1);
    unload(second);
}

TEST_F(Modules, a_file_that_cannot_be_loaded_is_refused_with_the_systems_words) {
    std::uint64_t module = 9;
    EXPECT_TRUE(says(try_load((folder / "none.so").string(), &module), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "none.so': No such file or directory"));
    EXPECT_TRUE(says(try_load(folder.string(), &module), EAGLE_BACKEND_INVALID_ARGUMENT, "is no regular file"));
    std::ofstream(file) << "this is text";
    EXPECT_TRUE(says(try_load(file.string(), &module), EAGLE_BACKEND_INVALID_ARGUMENT, "file too short"));
    std::ofstream(file) << std::string(5000, 'x');
    EXPECT_TRUE(says(try_load(file.string(), &module), EAGLE_BACKEND_INVALID_ARGUMENT, "invalid ELF header"));
    EXPECT_EQ(module, 9u);
}

TEST_F(Modules, a_truncated_file_is_refused_wherever_it_ends) {
    std::uint64_t module = 0;
    const auto whole = fs::file_size(EAGLE_MODULE_ONE);
    for (std::uintmax_t bytes :
         {std::uintmax_t(0), std::uintmax_t(40), std::uintmax_t(100), std::uintmax_t(900), whole / 2}) {
        fs::remove(file);
        fs::copy_file(EAGLE_MODULE_ONE, file);
        fs::resize_file(file, bytes);
        EXPECT_TRUE(says(try_load(file.string(), &module), EAGLE_BACKEND_INVALID_ARGUMENT, "cannot load")) << bytes;
    }
    EXPECT_TRUE(
        says(try_load(file.string(), &module), EAGLE_BACKEND_INVALID_ARGUMENT, "it is truncated: a segment ends at"));
}

TEST_F(Modules, symbols_that_are_not_there_are_named) {
    replace_with(EAGLE_MODULE_ONE);
    std::uint64_t module = load(), found = 0, bytes = 0;
    EXPECT_TRUE(says(client::sdk_module_function(module, "question", &found), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "exports no symbol 'question'"));
    EXPECT_TRUE(says(client::sdk_module_function(module, "memcpy", &found), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "exports no symbol 'memcpy'"));
    EXPECT_TRUE(says(client::sdk_module_function(module, "which", &found), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "is a variable, not a function"));
    EXPECT_TRUE(says(client::sdk_module_global(module, "answer", &found, &bytes), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "is a function, not a variable"));
    EXPECT_TRUE(says(client::sdk_module_global(module, "eagle_abi_tag", &found, &bytes), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "exports no symbol 'eagle_abi_tag'"));
    unload(module);
}

TEST_F(Modules, bad_descriptions_are_refused) {
    std::uint64_t module = 0;
    auto desc = client::make<struct eagle_backend_sdk_module_desc>();
    auto with = [&] { return client::sdk_module_load(&desc, &module); };
    EXPECT_TRUE(says(client::sdk_module_load(nullptr, &module), EAGLE_BACKEND_INVALID_ARGUMENT, "desc is null"));
    EXPECT_TRUE(says(with(), EAGLE_BACKEND_INVALID_ARGUMENT, "desc->path is null or empty"));
    desc.image = &module;
    EXPECT_TRUE(says(with(), EAGLE_BACKEND_UNSUPPORTED, "desc->image: kind cpu loads a shared object from a file"));
    desc.path = "x";
    EXPECT_TRUE(says(with(), EAGLE_BACKEND_INVALID_ARGUMENT, "both set"));
    desc.image = nullptr;
    desc.reserved = 4;
    EXPECT_TRUE(says(with(), EAGLE_BACKEND_INVALID_ARGUMENT, "reserved is 4"));
    desc.reserved = 0;
    EXPECT_TRUE(says(client::sdk_module_load(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "module is null"));
    desc.device = 1;
    EXPECT_TRUE(says(with(), EAGLE_BACKEND_INVALID_ARGUMENT, "device is 1"));
    desc.flags = 8;
    EXPECT_TRUE(says(with(), EAGLE_BACKEND_UNSUPPORTED, "flags 0x8"));
    desc.struct_size = 11;
    EXPECT_TRUE(says(with(), EAGLE_BACKEND_INVALID_ARGUMENT, "struct_size is 11"));
}

TEST_F(Modules, bad_handles_and_outputs_are_refused) {
    replace_with(EAGLE_MODULE_ONE);
    std::uint64_t module = load(), found = 0, bytes = 0;
    client::Stream stream;
    for (std::uint64_t bad : {std::uint64_t(12345), stream.raw()}) {
        EXPECT_TRUE(says(client::sdk_module_function(bad, "answer", &found), EAGLE_BACKEND_BAD_HANDLE,
                         "none of this backend's"));
        EXPECT_TRUE(says(client::sdk_module_global(bad, "which", &found, &bytes), EAGLE_BACKEND_BAD_HANDLE, "none of"));
        EXPECT_TRUE(says(client::sdk_module_unload(bad), EAGLE_BACKEND_BAD_HANDLE, "none of this backend's"));
    }
    EXPECT_TRUE(says(client::sdk_module_function(0, nullptr, nullptr), EAGLE_BACKEND_BAD_HANDLE, "the module is null"));
    EXPECT_TRUE(says(client::sdk_module_unload(0), EAGLE_BACKEND_BAD_HANDLE, "the module is null"));
    EXPECT_TRUE(
        says(client::sdk_module_function(module, nullptr, &found), EAGLE_BACKEND_INVALID_ARGUMENT, "name is null"));
    EXPECT_TRUE(says(client::sdk_module_function(module, "answer", nullptr), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "function is null"));
    EXPECT_TRUE(says(client::sdk_module_global(module, "", &found, &bytes), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "name is null or empty"));
    EXPECT_TRUE(says(client::sdk_module_global(module, "which", nullptr, &bytes), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "address is null"));
    EXPECT_TRUE(says(client::sdk_module_global(module, "which", &found, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "nbytes is null"));
    unload(module);
    EXPECT_TRUE(says(client::sdk_module_function(module, "answer", &found), EAGLE_BACKEND_BAD_HANDLE, "was unloaded"));
    EXPECT_TRUE(says(client::sdk_module_unload(module), EAGLE_BACKEND_BAD_HANDLE, "was unloaded"));
}

}  // namespace
