#include <eagle/Capture.h>

#include "capture/Handle.h"
#include "capture/OpenCapture.h"
#include "trace/Span.h"

namespace eagle {
namespace {

detail::SeamHandle make_capturer(const Stream& stream) {
    const Backend& backend = stream.backend();
    backend.require(Group::capturer);
    backend.require(Group::captured);
    eagle_backend_capturer_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = stream.device();
    desc.stream = stream.native();
    eagle_backend_capturer made = nullptr;
    backend.check(backend.table().capturer_create(&desc, &made), "capturer_create");
    return {backend, made,
            [](const seam::Table& seam, void* handle) {
                seam.capturer_release(static_cast<eagle_backend_capturer>(handle));
            },
            "CaptureScope"};
}

}  // namespace

Captured::Captured(const Backend& backend, void* handle, std::int32_t device)
    : handle_(
          backend, handle,
          [](const seam::Table& seam, void* h) { seam.captured_release(static_cast<eagle_backend_captured>(h)); },
          "Captured"),
      device_(device) {}

bool Captured::valid() const {
    if (handle_.is_empty()) return false;
    std::int32_t valid = 0;
    backend().check(backend().table().captured_is_valid(detail::native<eagle_backend_captured>(handle_), &valid),
                    "captured_is_valid");
    return valid != 0;
}

CaptureScope::CaptureScope(const Stream& stream)
    : capturer_(make_capturer(stream)), stream_(stream.native()), device_(stream.device()) {
    const Backend& backend = capturer_.backend();
    backend.check(backend.table().capturer_begin(detail::native<eagle_backend_capturer>(capturer_)), "capturer_begin");
    is_open_ = true;
    detail::OpenCapture::opened();
}

CaptureScope::~CaptureScope() {
    if (!is_open_) return;
    void* captured = nullptr;
    close(&captured);
    {
        const Captured thrown_away(capturer_.backend(), captured, device_);
    }
    detail::OpenCapture::closed();
}

std::int32_t CaptureScope::close(void** captured) noexcept {
    is_open_ = false;
    const Backend& backend = capturer_.backend();
    std::int32_t status = EAGLE_BACKEND_OK;
    if (backend.usable_here()) {
        eagle_backend_captured made = nullptr;
        status = backend.table().capturer_end(static_cast<eagle_backend_capturer>(capturer_.get()), &made);
        *captured = made;
    }
    return status;
}

Captured CaptureScope::end() {
    if (!is_open_) throw BadHandle("eagle: this CaptureScope has ended already; open another to record more");
    const Backend& backend = capturer_.backend();
    void* handle = nullptr;
    const std::int32_t status = close(&handle);
    // The text of the failure is asked for before anything else may call the backend.
    struct Closed {
        ~Closed() { detail::OpenCapture::closed(); }
    } const closed;
    Captured captured(backend, handle, device_);
    if (error_) std::rethrow_exception(error_);
    backend.check(status, "capturer_end");
    return captured;
}

std::uint64_t CaptureScope::graph() const {
    const Backend& backend = capturer_.backend();
    const auto& seam = backend.table();
    detail::require_call(backend, seam.capturer_graph, "eagle_backend_capturer_graph");
    std::uint64_t graph = 0;
    backend.check(seam.capturer_graph(detail::native<eagle_backend_capturer>(capturer_), &graph), "capturer_graph");
    return graph;
}

std::vector<std::uint64_t> captured_nodes(const Backend& backend, std::uint64_t stream) {
    backend.require(Group::attribution);
    std::uint64_t* nodes = nullptr;
    std::int64_t count = 0;
    backend.check(backend.table().capture_snapshot_nodes(stream, &nodes, &count), "capture_snapshot_nodes");
    return detail::take_nodes(backend.table(), nodes, count);
}

bool is_toggleable(const Backend& backend, std::uint64_t node) {
    backend.require(Group::attribution);
    std::int32_t toggleable = 0;
    backend.check(backend.table().is_node_toggleable(node, &toggleable), "is_node_toggleable");
    return toggleable != 0;
}

void add_child_graph(const Backend& backend, std::uint64_t stream, std::uint64_t graph, bool conditional_body) {
    const auto& seam = backend.table();
    detail::require_call(backend, seam.capture_add_child, "eagle_backend_capture_add_child");
    backend.check(seam.capture_add_child(stream, graph, conditional_body ? 1 : 0), "capture_add_child");
}

void host_function(const Backend& backend, std::uint64_t stream, void (*function)(void* context), void* context) {
    const auto& seam = backend.table();
    detail::require_call(backend, seam.host_func, "eagle_backend_host_func");
    backend.check(seam.host_func(stream, function, context), "host_func");
}

void clear(const Backend& backend, std::uint64_t to, std::uint64_t bytes, std::uint64_t stream) {
    const auto& seam = backend.table();
    detail::require_call(backend, seam.memset_device, "eagle_backend_memset_device");
    const trace::Span span([&] {
        const bool recorded = detail::OpenCapture::is_open();
        return trace::Label{recorded ? "capture" : "fill",
                            recorded ? "record a fill" : "fill with zeros",
                            {{"bytes", static_cast<std::int64_t>(bytes)}, {"kind", backend.kind()}}};
    });
    backend.check(seam.memset_device(to, bytes, stream), "memset_device of " + std::to_string(bytes) + " bytes");
}

}  // namespace eagle
