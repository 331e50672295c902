#include <eagle/Artifact.h>
#include <eagle/Kernel.h>

#include "Held.h"
#include "artifact/KernelState.h"

namespace eagle {

const Kernel::State& Kernel::state() const { return held(state_, "Kernel"); }

const std::string& Kernel::name() const { return state().signature.kernel; }
const Signature& Kernel::signature() const { return state().signature; }
const Backend& Kernel::backend() const { return state().module->backend(); }
Kernel Kernel::on(const std::string& kind) const {
    return kind == backend().kind() ? *this : Artifact::load(state().folder).kernel(name(), kind);
}
const std::string& Kernel::access() const { return state().access; }
const std::string& Kernel::operation() const { return state().operation; }
std::uint64_t Kernel::step_entry() const { return state().step; }
std::uint64_t Kernel::run_entry() const { return state().run; }

}  // namespace eagle
