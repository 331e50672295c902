#include "Library.h"

#include <dlfcn.h>
#include <eagle/Error.h>
#include <elf.h>

#include <cstring>
#include <fstream>

namespace hawk::native {
namespace {

using eagle::InvalidArgument;

constexpr const char* size_names[] = {"vector view", "float view", "int view", "nsamples", "partition triple"};
constexpr std::uint64_t sizes[] = {40, 32, 32, 4, 24};

// The system's loader maps a truncated file and dies at the first touch of the missing part, so the headers are read
// before it sees the file.
void check_whole(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file)
        throw InvalidArgument("cannot read '" + path + "': " + std::strerror(errno) + "; build the kernel again");
    auto size = static_cast<std::uint64_t>(file.tellg());
    Elf64_Ehdr header{};
    file.seekg(0);
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
        throw InvalidArgument("'" + path + "' is no shared library of this machine (" + std::to_string(size) +
                              " bytes); build the kernel again");
    std::uint64_t end = header.e_phoff + std::uint64_t{header.e_phnum} * header.e_phentsize;
    if (end <= size) {
        for (unsigned i = 0; i < header.e_phnum; ++i) {
            Elf64_Phdr part{};
            file.seekg(static_cast<std::streamoff>(header.e_phoff + std::uint64_t{i} * header.e_phentsize));
            file.read(reinterpret_cast<char*>(&part), sizeof part);
            if (part.p_type == PT_LOAD && part.p_offset + part.p_filesz > end) end = part.p_offset + part.p_filesz;
        }
    }
    if (!file || end > size)
        throw InvalidArgument("'" + path + "' is truncated: " + std::to_string(size) + " bytes of at least " +
                              std::to_string(end) + "; build the kernel again");
}

}  // namespace

Library::Library(const std::string& path, const std::string& abi) : path_(path) {
    check_whole(path);
    // A bare name would be searched for elsewhere.
    std::string file = path.find('/') == std::string::npos ? "./" + path : path;
    handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) {
        const char* reason = dlerror();
        throw InvalidArgument("cannot open '" + path + "': " + (reason != nullptr ? reason : "no reason given") +
                              "; build the kernel again");
    }
    try {
        check_interface(abi);
    } catch (...) {
        dlclose(handle_);
        throw;
    }
}

Library::~Library() { dlclose(handle_); }

void* Library::symbol(const char* name) const { return dlsym(handle_, name); }

std::uint64_t Library::entry(const std::string& name) const {
    if (void* found = symbol(name.c_str())) return reinterpret_cast<std::uint64_t>(found);
    throw InvalidArgument("'" + path_ + "' has no entry '" + name +
                          "', which its sidecar names; build the kernel again");
}

void Library::check_interface(const std::string& abi) const {
    auto* tag = static_cast<const char*>(symbol("eagle_abi_tag"));
    if (tag == nullptr || abi != tag)
        throw InvalidArgument("'" + path_ + "': eagle_abi_tag is " +
                              (tag != nullptr ? "'" + std::string(tag) + "'" : "missing") + "; it must be '" + abi +
                              "': build the kernel again");
    auto* found = static_cast<const std::uint64_t*>(symbol("eagle_layout_sizes"));
    if (found == nullptr)
        throw InvalidArgument("'" + path_ +
                              "': eagle_layout_sizes is missing; it must be {40, 32, 32, 4, 24}: build "
                              "the kernel again");
    for (std::size_t i = 0; i < std::size(sizes); ++i)
        if (found[i] != sizes[i])
            throw InvalidArgument("'" + path_ + "': the " + size_names[i] + " in eagle_layout_sizes is " +
                                  std::to_string(found[i]) + " bytes; it must be " + std::to_string(sizes[i]) +
                                  ": build the kernel again");
}

}  // namespace hawk::native
