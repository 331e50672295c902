// Compiled kernels, loaded through their kind's backend.
#pragma once
#include <eagle/Backend.h>
#include <eagle/export.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace eagle {

// Shared by copies; unloaded with the last of them, by when the work of its functions must be done. One that was moved
// from throws BadHandle.
class EAGLE_API Module {
  public:
    // Throws Error naming the file when the backend cannot load it; a relative path is one below the working directory.
    static Module load(const Backend& backend, const std::filesystem::path& file, std::int32_t device = 0);

    struct Global {
        std::uint64_t address = 0, bytes = 0;
    };
    // What a launch takes as `function`. Throws InvalidArgument naming the symbol and the file when it is absent.
    std::uint64_t function(const std::string& name) const;
    // A variable of the module: its address, of the device or on a host kind of the host, and its size in bytes.
    // Nothing when the module has none of that name.
    std::optional<Global> global(const std::string& name) const;
    const Backend& backend() const;
    const std::filesystem::path& path() const;

  private:
    struct State;
    explicit Module(std::shared_ptr<const State> state) : state_(std::move(state)) {}
    std::shared_ptr<const State> state_;
};

}  // namespace eagle
