// The kernels of plans, for the device that a graph runs on.
#pragma once
#include <eagle/Kernel.h>

#include <cstdint>
#include <map>

namespace eagle::lowering {

// A plan's kernel is loaded for the kind it was planned for; where its planes live on another, the same kernel of the
// same artifact is loaded for that one, once a graph.
class Kernels {
  public:
    Kernels(const Backend& backend, std::int32_t device) : backend_(backend), device_(device) {}
    // `of` outlives this object. Throws what Kernel::on() throws.
    const Kernel& here(const Kernel& of) {
        if (of.backend().kind() == backend_.kind()) return of;
        const auto known = loaded_.find(&of.signature());
        if (known != loaded_.end()) return known->second;
        return loaded_.emplace(&of.signature(), of.on(backend_.kind(), device_)).first->second;
    }

  private:
    Backend backend_;
    std::int32_t device_;
    std::map<const Signature*, Kernel> loaded_;  // copies of a kernel share their signature
};

}  // namespace eagle::lowering
