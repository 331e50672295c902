// The kernels of plans, for the kind that a graph runs on.
#pragma once
#include <eagle/Kernel.h>

#include <map>

namespace eagle::lowering {

// A plan's kernel is loaded for the kind it was planned for; where its planes live on another, the same kernel of the
// same artifact is loaded for that one, once a graph.
class Kernels {
  public:
    explicit Kernels(const Backend& backend) : backend_(backend) {}
    // `of` outlives this object. Throws what Kernel::on() throws.
    const Kernel& here(const Kernel& of) {
        if (of.backend().kind() == backend_.kind()) return of;
        const auto known = loaded_.find(&of.signature());
        if (known != loaded_.end()) return known->second;
        return loaded_.emplace(&of.signature(), of.on(backend_.kind())).first->second;
    }

  private:
    Backend backend_;
    std::map<const Signature*, Kernel> loaded_;  // copies of a kernel share their signature
};

}  // namespace eagle::lowering
