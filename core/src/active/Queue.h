// Work on one stream of one device, and the way of its results to the host.
#pragma once
#include <eagle/Stream.h>

#include <cstdint>
#include <vector>

namespace eagle::active {

class Queue {
  public:
    // `stream` is raw; 0 is the default stream of the device.
    Queue(Backend backend, std::int32_t device, std::uint64_t stream, bool host_memory);

    const Backend& backend() const { return waiter_.backend(); }
    std::int32_t device() const { return waiter_.device(); }
    std::uint64_t stream() const { return stream_; }
    bool host_memory() const { return host_memory_; }

    // What follows on the stream runs behind the default stream, in whose order arrays are allocated.
    void follow_default_stream();
    // Within the device, in the order of the stream.
    void copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);
    // Returns when all that is on the stream is done.
    void wait();
    // The same, and the elements at `from` are in `to` then.
    template <class T>
    void read(std::uint64_t from, std::size_t count, std::vector<T>& to) {
        to.resize(count);
        read(from, count * sizeof(T), to.data());
    }
    void read(std::uint64_t from, std::size_t bytes, void* to);
    // What is on the stream is done, and then `to` holds what `from` does.
    void write(std::uint64_t to, std::size_t bytes, const void* from);

  private:
    void wait_behind();
    Stream waiter_;  // the seam waits for streams that it made: this one waits for the other's work
    std::uint64_t stream_;
    bool host_memory_;
};

}  // namespace eagle::active
