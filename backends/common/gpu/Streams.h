// The streams that the backend made; others are the caller's, and known to the driver alone.
#pragma once
#include <unordered_map>

#include "Kind.h"
#include "Objects.h"

namespace eagle::gpu {

class Streams {
  public:
    static Streams& of_process();
    // With the device current. Throw Failure.
    RawStream create(int device, bool is_blocking);
    void destroy(RawStream stream);
    bool is_blocking(RawStream stream) const;  // also of one that is not the backend's, where the driver tells
    int device_of(RawStream stream) const;     // -1 for one that is not

  private:
    struct Known {
        int device;
        bool is_blocking;
    };
    std::unordered_map<RawStream, Known> known_;
};

class Stream {
  public:
    static constexpr std::uint8_t tag = 'S';
    static constexpr char name[] = "stream";

    Stream(int device, bool is_blocking);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    RawStream raw() const { return raw_; }
    int device() const { return device_; }

  private:
    int device_;
    RawStream raw_;
};

// Events that one stream records and another waits for: reused, and never given back to the driver. One pool a device.
class Events {
  public:
    Events() = default;
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;
    // With the device current.
    RawEvent take(int device);
    void give_back(int device, RawEvent event);
    std::int64_t created() const;

  private:
    std::unordered_map<int, std::vector<RawEvent>> free_;
    std::int64_t created_ = 0;
};
Events& events_of_fences();
Events& events_of_forks();

}  // namespace eagle::gpu
