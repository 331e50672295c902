// A kernel's shared object, opened and checked.
#pragma once
#include <cstdint>
#include <string>

namespace hawk::native {

// v2 host entry (docs/artifacts.md): samples [base, base + count) of n_samples, serial, without allocation.
using Entry = void (*)(void* const* params, std::int64_t base, std::int64_t count, std::int64_t n_samples);

class Library {
  public:
    // Opens the file privately and compares `eagle_abi_tag` with `abi` and `eagle_layout_sizes` with ours. Throws
    // eagle::InvalidArgument for a file that is no such library, naming the field that differs.
    Library(const std::string& path, const std::string& abi);
    ~Library();
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    // Address of an entry. Throws eagle::InvalidArgument when there is none of that name.
    std::uint64_t entry(const std::string& name) const;

  private:
    void* symbol(const char* name) const;  // or null
    void check_interface(const std::string& abi) const;

    std::string path_;
    void* handle_;
};

}  // namespace hawk::native
