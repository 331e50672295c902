#include "active/Queue.h"

#include <eagle/Fence.h>
#include <eagle/Memory.h>

#include <cstring>
#include <utility>

namespace eagle::active {

Queue::Queue(Backend backend, std::int32_t device, std::uint64_t stream, bool host_memory)
    : waiter_(std::move(backend), device), stream_(stream), host_memory_(host_memory) {}

void Queue::follow_default_stream() {
    if (stream_ != 0) fence(backend(), device(), 0, stream_);
}

void Queue::copy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    const CopyKind kind = host_memory_ ? CopyKind::host_to_host : CopyKind::device_to_device;
    eagle::copy(backend(), to, from, bytes, kind, stream_);
}

void Queue::wait_behind() { fence(backend(), device(), stream_, waiter_.native()); }

void Queue::wait() {
    wait_behind();
    waiter_.synchronize();
}

void Queue::read(std::uint64_t from, std::size_t bytes, void* to) {
    if (bytes == 0) return;
    wait_behind();
    if (!host_memory_)
        eagle::copy(backend(), reinterpret_cast<std::uint64_t>(to), from, bytes, CopyKind::device_to_host,
                    waiter_.native());
    waiter_.synchronize();
    if (host_memory_) std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
}

void Queue::write(std::uint64_t to, std::size_t bytes, const void* from) {
    if (bytes == 0) return;
    wait();
    if (host_memory_) {
        std::memcpy(reinterpret_cast<void*>(to), from, bytes);
        return;
    }
    eagle::copy(backend(), to, reinterpret_cast<std::uint64_t>(from), bytes, CopyKind::host_to_device,
                waiter_.native());
    waiter_.synchronize();
}

}  // namespace eagle::active
