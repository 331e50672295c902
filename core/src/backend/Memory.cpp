#include <eagle/Memory.h>

#include <utility>

#include "backend/Entry.h"
#include "capture/OpenCapture.h"
#include "trace/Span.h"

namespace eagle {

DeviceBuffer::DeviceBuffer(const Backend& backend, std::int32_t device, std::uint64_t bytes, std::uint64_t stream)
    : backend_(backend), bytes_(bytes), stream_(stream), device_(device) {
    const auto& seam = backend_.table();
    backend_.require_symbol(reinterpret_cast<const void*>(seam.sdk_device_alloc), "eagle_backend_sdk_device_alloc");
    backend_.require_symbol(reinterpret_cast<const void*>(seam.sdk_device_free), "eagle_backend_sdk_device_free");
    backend_.check(seam.sdk_device_alloc(device, bytes, stream, &address_),
                   "sdk_device_alloc of " + std::to_string(bytes) + " bytes");
}

DeviceBuffer::~DeviceBuffer() { release(); }

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : backend_(other.backend_),
      address_(std::exchange(other.address_, 0)),
      bytes_(std::exchange(other.bytes_, 0)),
      stream_(other.stream_),
      device_(other.device_) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
    if (this == &other) return *this;
    release();
    backend_ = other.backend_;
    address_ = std::exchange(other.address_, 0);
    bytes_ = std::exchange(other.bytes_, 0);
    stream_ = other.stream_;
    device_ = other.device_;
    return *this;
}

void DeviceBuffer::release() noexcept {
    const std::uint64_t address = std::exchange(address_, 0);
    bytes_ = 0;
    // What a parent made on a device is left alone: the process that made it frees it. In a capture the backend puts it
    // off itself.
    if (address != 0 && backend_.usable_here()) backend_.table().sdk_device_free(device_, address, stream_);
}

PinnedBuffer::PinnedBuffer(const Backend& backend, std::uint64_t bytes) : backend_(backend), bytes_(bytes) {
    const auto& seam = backend_.table();
    backend_.require_symbol(reinterpret_cast<const void*>(seam.host_alloc), "eagle_backend_host_alloc");
    backend_.require_symbol(reinterpret_cast<const void*>(seam.host_free), "eagle_backend_host_free");
    backend_.check(seam.host_alloc(bytes, &address_), "host_alloc of " + std::to_string(bytes) + " bytes");
}

PinnedBuffer::~PinnedBuffer() { release(); }

PinnedBuffer::PinnedBuffer(PinnedBuffer&& other) noexcept
    : backend_(other.backend_), address_(std::exchange(other.address_, 0)), bytes_(std::exchange(other.bytes_, 0)) {}

PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept {
    if (this == &other) return *this;
    release();
    backend_ = other.backend_;
    address_ = std::exchange(other.address_, 0);
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
}

void PinnedBuffer::release() noexcept {
    const std::uint64_t address = std::exchange(address_, 0);
    bytes_ = 0;
    if (address == 0) return;
    const auto free = [](const Backend& backend, std::uint64_t block, std::uint64_t) {
        backend.table().host_free(block);
    };
    detail::OpenCapture::free_when_closed(backend_, free, address, 0);
}

void copy(const Backend& backend, std::uint64_t to, std::uint64_t from, std::uint64_t bytes, CopyKind kind,
          std::uint64_t stream) {
    const auto& seam = backend.table();
    backend.require_symbol(reinterpret_cast<const void*>(seam.memcpy), "eagle_backend_memcpy");
    const trace::Span span([&] {
        const char* const way = kind == CopyKind::host_to_device   ? "host to device"
                                : kind == CopyKind::device_to_host ? "device to host"
                                : kind == CopyKind::host_to_host   ? "host to host"
                                                                   : "device to device";
        const bool recorded = detail::OpenCapture::is_open();
        return trace::Label{recorded ? "capture" : "copy",
                            recorded ? "record a copy" : "copy",
                            {{"bytes", static_cast<std::int64_t>(bytes)}, {"way", way}, {"kind", backend.kind()}}};
    });
    backend.check(seam.memcpy(to, from, bytes, static_cast<std::int32_t>(kind), stream),
                  "memcpy of " + std::to_string(bytes) + " bytes");
}

}  // namespace eagle
