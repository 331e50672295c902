// An in-order queue of work on one device.
#pragma once
#include <eagle/Backend.h>
#include <eagle/export.h>

#include <cstdint>

namespace eagle {

// Move-only; released with the object, after which work already on it still runs. One thread at a time may use it.
class EAGLE_API Stream {
  public:
    // Throws BackendUnavailable when the backend has no group `stream` or no usable device.
    explicit Stream(Backend backend, std::int32_t device = 0);
    ~Stream();
    Stream(Stream&& other) noexcept;
    Stream& operator=(Stream&& other) noexcept;

    // Returns when all work on the stream is done. Raises what that work reported.
    void synchronize();
    std::uint64_t native() const { return native_; }  // what launches take as `stream`
    std::int32_t device() const { return device_; }
    const Backend& backend() const { return backend_; }

  private:
    void release() noexcept;
    Backend backend_;
    void* handle_ = nullptr;
    std::uint64_t native_ = 0;
    std::int32_t device_ = 0;
};

}  // namespace eagle
