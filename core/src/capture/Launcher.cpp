#include <eagle/Launcher.h>

#include <utility>

#include "capture/ConditionalDesc.h"
#include "capture/Handle.h"

namespace eagle {
namespace {

using Native = eagle_backend_launcher;
using detail::native;

detail::SeamHandle make(NativeGraph& graph, std::uint64_t stream) {
    const Backend& backend = graph.backend();
    backend.require(Group::launcher);
    graph.set_stream(stream);
    Native made = nullptr;
    backend.check(backend.table().graph_launcher(native<eagle_backend_graph>(graph.handle()), &made), "graph_launcher");
    return {backend, made, [](const seam::Table& s, void* handle) { s.launcher_release(static_cast<Native>(handle)); },
            "Launcher"};
}

}  // namespace

Launcher::Launcher(NativeGraph& graph, std::uint64_t stream)
    : handle_(make(graph, stream)),
      raw_(handle_.get()),
      launch_(reinterpret_cast<Call>(backend().table().launcher_launch)),
      synchronize_(reinterpret_cast<Call>(backend().table().launcher_synchronize)) {}

Launcher::Launcher(Launcher&& other) noexcept
    : handle_(std::move(other.handle_)),
      raw_(std::exchange(other.raw_, nullptr)),
      launch_(other.launch_),
      synchronize_(other.synchronize_) {}

Launcher& Launcher::operator=(Launcher&& other) noexcept {
    if (this == &other) return *this;
    handle_ = std::move(other.handle_);
    raw_ = std::exchange(other.raw_, nullptr);
    launch_ = other.launch_;
    synchronize_ = other.synchronize_;
    return *this;
}

void Launcher::refuse() const {
    (void)handle_.get();
    (void)backend().table();
    throw BadHandle("eagle: this Launcher holds no launcher; needs one made from a NativeGraph");
}

void Launcher::set_stream(std::uint64_t stream) {
    backend().check(backend().table().launcher_stream(native<Native>(handle_), stream), "launcher_stream");
}

void Launcher::set_logical_size(std::int64_t samples) {
    backend().check(backend().table().launcher_set_logical_size(native<Native>(handle_), samples),
                    "launcher_set_logical_size");
}

std::int64_t Launcher::kernel_node_count() const {
    std::int64_t count = 0;
    backend().check(backend().table().launcher_kernel_node_count(native<Native>(handle_), &count),
                    "launcher_kernel_node_count");
    return count;
}

void Launcher::set_enabled(std::uint64_t node, bool enabled) {
    backend().check(backend().table().launcher_set_node_enabled(native<Native>(handle_), node, enabled ? 1 : 0),
                    "launcher_set_node_enabled");
}

void Launcher::set_kernel_params(std::uint64_t node, std::span<const void* const> params) {
    const auto call = backend().table().launcher_set_kernel_params;
    detail::require_call(backend(), call, "eagle_backend_launcher_set_kernel_params");
    static_assert(sizeof(void*) == sizeof(std::uint64_t));
    backend().check(call(native<Native>(handle_), node, reinterpret_cast<const std::uint64_t*>(params.data()),
                         static_cast<std::int64_t>(params.size())),
                    "launcher_set_kernel_params");
}

void Launcher::set_memcpy_source(std::uint64_t node, std::uint64_t source) {
    const auto call = backend().table().launcher_set_memcpy_source;
    detail::require_call(backend(), call, "eagle_backend_launcher_set_memcpy_source");
    backend().check(call(native<Native>(handle_), node, source), "launcher_set_memcpy_source");
}

void Launcher::set_conditional(std::uint64_t node, const ConditionalCells& cells) {
    const auto call = backend().table().sdk_launcher_set_conditional;
    detail::require_call(backend(), call, "eagle_backend_sdk_launcher_set_conditional");
    const eagle_backend_conditional_desc desc = detail::desc_of(cells, -1, 0);
    backend().check(call(native<Native>(handle_), node, &desc), "sdk_launcher_set_conditional");
}

bool Launcher::update(const Captured& captured) {
    const auto call = backend().table().launcher_exec_update;
    detail::require_call(backend(), call, "eagle_backend_launcher_exec_update");
    std::int32_t updated = 0;
    backend().check(call(native<Native>(handle_), native<eagle_backend_captured>(captured.handle()), &updated),
                    "launcher_exec_update");
    return updated != 0;
}

bool Launcher::can_set_kernel_params() const { return backend().table().launcher_set_kernel_params != nullptr; }
bool Launcher::can_set_memcpy_source() const { return backend().table().launcher_set_memcpy_source != nullptr; }
bool Launcher::can_set_conditional() const { return backend().table().sdk_launcher_set_conditional != nullptr; }
bool Launcher::can_update() const { return backend().table().launcher_exec_update != nullptr; }

}  // namespace eagle
