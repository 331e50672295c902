#include <eagle/Artifact.h>
#include <eagle/Kernel.h>

#include <utility>

#include "Held.h"
#include "artifact/KernelState.h"

namespace eagle {

const Kernel::State& Kernel::state() const { return held(state_, "Kernel"); }

const std::string& Kernel::name() const { return state().signature.kernel; }
const Signature& Kernel::signature() const { return state().signature; }
const Backend& Kernel::backend() const { return state().code->backend(); }

Kernel Kernel::on(const std::string& kind, std::int32_t device) const {
    if (kind == backend().kind()) {
        state().code->on(device);
        return *this;
    }
    const Artifact here = Artifact::load(state().folder);
    if (!state().builder || here.has_file(name(), kind))
        return here.kernel(name(), kind, device).built_by(state().builder);
    return Artifact::load(state().builder(kind)).kernel(name(), kind, device).built_by(state().builder);
}

Kernel Kernel::built_by(Builder builder) const {
    auto with = std::make_shared<State>(state());
    with->builder = std::move(builder);
    return Kernel(std::move(with));
}

const std::string& Kernel::access() const { return state().access; }
const std::string& Kernel::operation() const { return state().operation; }
std::uint64_t Kernel::step_entry(std::int32_t device) const { return state().code->on(device).step; }
std::uint64_t Kernel::run_entry(std::int32_t device) const { return state().code->on(device).run; }

}  // namespace eagle
