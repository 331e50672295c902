// Shared objects of kernels, loaded from files.
#pragma once
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "Handles.h"

namespace eagle::host {

class Modules {
  public:
    static Modules& of_process();

    // The code that the file holds at this time, also when another file was loaded from the same path before. Throws
    // Failure with the system's own text.
    std::uint64_t load(const std::filesystem::path& file);
    // Throw Failure: BAD_HANDLE, or INVALID_ARGUMENT naming the symbol.
    void require_alive(std::uint64_t module);
    std::uint64_t function(std::uint64_t module, const std::string& name);
    struct Global {
        std::uint64_t address, bytes;
    };
    Global global(std::uint64_t module, const std::string& name);
    void unload(std::uint64_t module);

    std::mutex& mutex() { return mutex_; }  // held over a fork

  private:
    // Which file this is: a path alone does not tell.
    struct Identity {
        std::uint64_t device, inode, bytes;
        std::int64_t seconds, nanoseconds;
        bool operator==(const Identity&) const = default;
    };
    struct Module {
        void* library = nullptr;
        std::string path;
        Identity identity{};
        int copy = -1;                         // descriptor of the private copy it was loaded from
        std::vector<std::uint64_t> functions;  // handed out
    };
    static Identity identify(const std::string& path);
    std::string spelling(const std::string& path, const Identity& identity);
    void refuse_if_written_over(const std::string& path, const Identity& identity) const;
    Module& of_handle(std::uint64_t module);
    struct Symbol {
        std::uint64_t address, bytes;
        bool is_function;
    };
    static Symbol find(const Module& module, const std::string& name);

    std::mutex mutex_;
    Handles<Module> handles_{'M'};
    std::vector<Module*> live_;
    std::map<std::string, std::vector<Identity>> seen_;  // files that stood at a path, in the order of their loads
};

}  // namespace eagle::host
