// Memory of a backend: on a device, or page-locked on the host.
#pragma once
#include <eagle/Stream.h>
#include <eagle/export.h>
#include <eagle/marshal/ArrayView.h>

#include <cstdint>

namespace eagle {

// Device memory, freed with the object, at least 256-byte aligned; move-only. Allocated and freed in the order of
// `stream` (raw, 0 = the default stream of the device), which outlives it. 0 bytes have the address 0.
class EAGLE_API DeviceBuffer {
  public:
    // Throws OutOfMemory, or BackendUnavailable when the backend has no device memory to give.
    DeviceBuffer(const Backend& backend, std::int32_t device, std::uint64_t bytes, std::uint64_t stream = 0);
    ~DeviceBuffer();
    DeviceBuffer(DeviceBuffer&& other) noexcept;
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
    std::uint64_t address() const { return address_; }
    std::uint64_t bytes() const { return bytes_; }
    std::int32_t device() const { return device_; }
    const Backend& backend() const { return backend_; }

  private:
    void release() noexcept;
    Backend backend_;
    std::uint64_t address_ = 0, bytes_ = 0, stream_ = 0;
    std::int32_t device_ = 0;
};

// Page-locked host memory, freed with the object; move-only. 0 bytes have a null address.
class EAGLE_API PinnedBuffer {
  public:
    // Throws Error with the backend's words when there is none left, BackendUnavailable when the backend has no
    // page-locked memory to give.
    PinnedBuffer(const Backend& backend, std::uint64_t bytes);
    ~PinnedBuffer();
    PinnedBuffer(PinnedBuffer&& other) noexcept;
    PinnedBuffer& operator=(PinnedBuffer&& other) noexcept;
    void* data() const { return reinterpret_cast<void*>(address_); }
    std::uint64_t bytes() const { return bytes_; }
    const Backend& backend() const { return backend_; }

  private:
    void release() noexcept;
    Backend backend_;
    std::uint64_t address_ = 0, bytes_ = 0;
};

enum class CopyKind : std::int32_t { host_to_device = 0, device_to_host = 1, device_to_device = 2, host_to_host = 3 };
// Copies `bytes` bytes in the order of `stream` (raw, 0 = the default stream); both ranges stay alive until it is done.
// Ranges are distinct, or the same (nothing happens). Throws BackendUnavailable naming eagle_backend_memcpy where the
// backend has none, InvalidArgument for a null address.
EAGLE_API void copy(const Backend& backend, std::uint64_t to, std::uint64_t from, std::uint64_t bytes, CopyKind kind,
                    std::uint64_t stream = 0);

// Copies the elements of `from` into `to`, of the same shape and element type, wherever the two lie. Between arrays of
// the host it is a plain copy, in which no backend takes part; to and from a device both are dense and row-major, and
// the copy goes behind all work put on the device's blocking streams before. Returns when it is done, and within a
// device when it is enqueued. Throws LayoutError for another shape, for arrays that are not dense, and for a `to` with
// elements that share memory; BufferRefused for another type, for a `to` that is read-only, for two devices, and for
// arrays of the host that share a part of their memory; BackendUnavailable naming eagle_backend_memcpy where the
// backend has none.
EAGLE_API void copy(const ArrayView& from, const ArrayView& to);

}  // namespace eagle
