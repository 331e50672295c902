// A shared library, opened once and never closed.
#pragma once
#include <filesystem>

namespace eagle::detail {

class SharedFile {
  public:
    // `file` is absolute. A file put in the place of one that is open is opened beside it; one that was written over is
    // refused. Throws Refused, with the system's own text where it has one. The names of the library stay its own: they
    // serve no other library.
    explicit SharedFile(const std::filesystem::path& file);

    // The address of an exported function, null when the library has none. Throws Refused for one that lies in another
    // file: the system also looks through the libraries that this one needs.
    void* symbol(const char* name) const;

  private:
    void* handle_;
};

}  // namespace eagle::detail
