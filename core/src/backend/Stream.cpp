#include <eagle/Stream.h>

#include <utility>

#include "backend/Entry.h"
#include "capture/OpenCapture.h"
#include "trace/Span.h"

namespace eagle {

Stream::Stream(Backend backend, std::int32_t device) : backend_(backend), device_(device) {
    backend_.require(Group::stream);
    const auto& seam = backend_.table();
    eagle_backend_stream_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = device;
    eagle_backend_stream made = nullptr;
    backend_.check(seam.stream_create(&desc, &made), "stream_create");
    handle_ = made;
    const auto status = seam.stream_ptr(made, &native_);
    try {
        backend_.check(status, "stream_ptr");
    } catch (...) {
        release();
        throw;
    }
}

Stream::~Stream() { release(); }

Stream::Stream(Stream&& other) noexcept
    : backend_(other.backend_),
      handle_(std::exchange(other.handle_, nullptr)),
      native_(std::exchange(other.native_, 0)),
      device_(other.device_) {}

Stream& Stream::operator=(Stream&& other) noexcept {
    if (this == &other) return *this;
    release();
    backend_ = other.backend_;
    handle_ = std::exchange(other.handle_, nullptr);
    native_ = std::exchange(other.native_, 0);
    device_ = other.device_;
    return *this;
}

void Stream::release() noexcept {
    void* const handle = std::exchange(handle_, nullptr);
    native_ = 0;
    if (handle == nullptr) return;
    const auto free = [](const Backend& backend, std::uint64_t stream, std::uint64_t) {
        backend.table().stream_release(reinterpret_cast<eagle_backend_stream>(stream));
    };
    detail::OpenCapture::free_when_closed(backend_, free, reinterpret_cast<std::uint64_t>(handle), 0);
}

void Stream::synchronize() {
    if (handle_ == nullptr) throw BadHandle("eagle: this Stream was moved from; needs one that holds a stream");
    const trace::Span span([&] {
        return trace::Label{"wait", "wait for a stream", {{"device", backend_.kind() + ":" + std::to_string(device_)}}};
    });
    backend_.check(backend_.table().stream_synchronize(static_cast<eagle_backend_stream>(handle_)),
                   "stream_synchronize");
}

}  // namespace eagle
