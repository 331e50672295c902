#include <eagle/Artifact.h>
#include <eagle/Kernel.h>

#include "artifact/KernelState.h"

namespace eagle {

const std::string& Kernel::name() const { return state_->signature.kernel; }
const Signature& Kernel::signature() const { return state_->signature; }
const Backend& Kernel::backend() const { return state_->module->backend(); }
Kernel Kernel::on(const std::string& kind) const {
    return kind == backend().kind() ? *this : Artifact::load(state_->folder).kernel(name(), kind);
}
const std::string& Kernel::access() const { return state_->access; }
const std::string& Kernel::operation() const { return state_->operation; }
std::uint64_t Kernel::step_entry() const { return state_->step; }
std::uint64_t Kernel::run_entry() const { return state_->run; }

}  // namespace eagle
