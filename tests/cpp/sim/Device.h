// Memory of a simulated device, and how numbers get there and back.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "Client.h"

namespace device {

using client::Launch;
using client::Stream;

inline std::uint64_t address_of(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

// A stream of a device.
class On {
  public:
    explicit On(std::int32_t device, std::uint32_t flags = 0) {
        auto desc = client::make<struct eagle_backend_stream_desc>();
        desc.device = device;
        desc.flags = flags;
        EXPECT_EQ(client::stream_create(&desc, &handle), EAGLE_BACKEND_OK) << client::last_error();
        EXPECT_EQ(client::stream_ptr(handle, &raw), EAGLE_BACKEND_OK) << client::last_error();
    }
    ~On() { client::stream_release(handle); }
    On(const On&) = delete;
    On& operator=(const On&) = delete;
    void synchronize() const {
        EXPECT_EQ(client::stream_synchronize(handle), EAGLE_BACKEND_OK) << client::last_error();
    }

    eagle_backend_stream handle = nullptr;
    std::uint64_t raw = 0;
};

// `count` int64 on a device, from values of the host.
class Numbers {
  public:
    Numbers(std::int32_t device, std::vector<std::int64_t> values)
        : device_(device), bytes_(values.size() * sizeof(std::int64_t)), kept_(std::move(values)), stream_(device) {
        EXPECT_EQ(client::sdk_device_alloc(device, bytes_, stream_.raw, &address), EAGLE_BACKEND_OK)
            << client::last_error();
        set(kept_);
    }
    ~Numbers() {
        EXPECT_EQ(client::sdk_device_free(device_, address, stream_.raw), EAGLE_BACKEND_OK) << client::last_error();
        stream_.synchronize();
    }
    Numbers(const Numbers&) = delete;
    Numbers& operator=(const Numbers&) = delete;
    void set(const std::vector<std::int64_t>& values) {
        kept_ = values;
        EXPECT_EQ(
            client::memcpy(address, address_of(kept_.data()), bytes_, EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, stream_.raw),
            EAGLE_BACKEND_OK)
            << client::last_error();
        stream_.synchronize();
    }
    std::vector<std::int64_t> get() const {
        std::vector<std::int64_t> values(kept_.size());
        EXPECT_EQ(client::memcpy(address_of(values.data()), address, bytes_, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST,
                                 stream_.raw),
                  EAGLE_BACKEND_OK)
            << client::last_error();
        stream_.synchronize();
        return values;
    }
    std::int64_t* data() const { return reinterpret_cast<std::int64_t*>(address); }

    std::uint64_t address = 0;

  private:
    std::int32_t device_;
    std::uint64_t bytes_;
    std::vector<std::int64_t> kept_;
    On stream_;
};

// Kernels: params are (int64_t* out, const int64_t* in, int64_t number).
inline void add(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    auto* out = *static_cast<std::int64_t* const*>(params[0]);
    const auto* in = *static_cast<const std::int64_t* const*>(params[1]);
    const auto number = *static_cast<const std::int64_t*>(params[2]);
    for (std::int64_t i = base; i < base + count; ++i) out[i] = in[i] + number;
}

// out = in + number over all samples, on a stream.
inline void put_add(std::uint64_t stream, std::int64_t* out, const std::int64_t* in, std::int64_t number,
                    std::int64_t count) {
    Launch launch(&add, 0, count, stream, out, in, number);
    launch.desc.device = -1;
    launch.run();
}

}  // namespace device
