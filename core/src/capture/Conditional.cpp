#include <eagle/Conditional.h>

#include <string>

#include "capture/ConditionalDesc.h"
#include "capture/Handle.h"

namespace eagle {
namespace {

using Native = eagle_backend_conditional;
using detail::native;

detail::SeamHandle make(const Backend& backend, std::int32_t device, std::uint64_t origin,
                        const ConditionalCells& cells) {
    Conditional::require(backend, cells.kind);
    const eagle_backend_conditional_desc desc = detail::desc_of(cells, device, origin);
    Native made = nullptr;
    backend.check(backend.table().conditional_create(&desc, &made), "conditional_create");
    return {backend, made,
            [](const seam::Table& s, void* handle) { s.conditional_release(static_cast<Native>(handle)); },
            "Conditional"};
}

void require_option(const Backend& backend, std::uint64_t bit, const char* option) {
    if ((backend.capabilities() & bit) != 0) return;
    throw BackendUnavailable("eagle: the backend '" + backend.kind() + "' (" + backend.path().string() +
                             ") does not provide conditional " + option +
                             "; use a backend whose capability bit for it is set");
}

}  // namespace

eagle_backend_conditional_desc detail::desc_of(const ConditionalCells& cells, std::int32_t device,
                                               std::uint64_t origin) {
    eagle_backend_conditional_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = device;
    desc.loop_cap = cells.cap;
    desc.origin = origin;
    desc.count_ptr = cells.guard;
    desc.baseline_ptr = cells.baseline;
    desc.counter_ptr = cells.counter;
    desc.kind = static_cast<std::uint32_t>(cells.kind);
    desc.arms = cells.arms;
    desc.negate = cells.negate ? 1 : 0;
    desc.brk_ptr = cells.brk;
    desc.limit_ptr = cells.limit;
    return desc;
}

void Conditional::require(const Backend& backend, ConditionalKind kind) {
    backend.require(Group::conditional);
    if (kind == ConditionalKind::if_else) require_option(backend, EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE, "if_else");
    if (kind == ConditionalKind::switch_) require_option(backend, EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH, "switch");
}

Conditional::Conditional(const Backend& backend, std::int32_t device, std::uint64_t origin,
                         const ConditionalCells& cells)
    : handle_(make(backend, device, origin, cells)) {}

std::uint64_t Conditional::begin() {
    const Backend& backend = handle_.backend();
    std::uint64_t stream = 0;
    backend.check(backend.table().conditional_begin(native<Native>(handle_), &stream), "conditional_begin");
    return stream;
}

void Conditional::end() {
    const Backend& backend = handle_.backend();
    backend.check(backend.table().conditional_end(native<Native>(handle_)), "conditional_end");
}

std::uint64_t Conditional::stream(std::uint64_t arm) const {
    const Backend& backend = handle_.backend();
    const auto& seam = backend.table();
    std::uint64_t stream = 0;
    if (arm == 0) {
        backend.check(seam.conditional_body_stream(native<Native>(handle_), &stream), "conditional_body_stream");
        return stream;
    }
    detail::require_call(backend, seam.conditional_arm_stream, "eagle_backend_conditional_arm_stream");
    backend.check(seam.conditional_arm_stream(native<Native>(handle_), arm, &stream), "conditional_arm_stream");
    return stream;
}

bool Conditional::is_loop() const {
    const Backend& backend = handle_.backend();
    std::int32_t is_loop = 0;
    backend.check(backend.table().conditional_is_loop(native<Native>(handle_), &is_loop), "conditional_is_loop");
    return is_loop != 0;
}

std::vector<std::uint64_t> Conditional::nodes(std::uint64_t arm) const {
    return nodes_of(static_cast<std::int64_t>(arm));
}

std::vector<std::uint64_t> Conditional::setters() const { return nodes_of(-1); }

std::vector<std::uint64_t> Conditional::nodes_of(std::int64_t arm) const {
    const Backend& backend = handle_.backend();
    detail::require_call(backend, backend.table().conditional_nodes, "eagle_backend_conditional_nodes");
    std::uint64_t* nodes = nullptr;
    std::int64_t count = 0;
    backend.check(backend.table().conditional_nodes(native<Native>(handle_), arm, &nodes, &count), "conditional_nodes");
    return detail::take_nodes(backend.table(), nodes, count);
}

}  // namespace eagle
