// eagle's own kernels, compiled for the device.
#pragma once
#include <eagle/Module.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace eagle::lowering {

// Their file lies beside libeagle or the backend: eagle_builtin_<kind>.*, or eagle_builtin_host for a kind that
// launches functions of the host. Loaded when the first of them is asked for.
class Builtin {
  public:
    explicit Builtin(const Backend& backend, std::int32_t device) : backend_(backend), device_(device) {}
    // Throws BackendUnavailable naming the kind when it has none.
    std::uint64_t function(const char* entry);

  private:
    Module load() const;
    Backend backend_;
    std::int32_t device_;
    std::optional<Module> module_;
    std::map<std::string, std::uint64_t> functions_;
};

}  // namespace eagle::lowering
