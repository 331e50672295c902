// Memory and what is done with it in stream order.
#include <cstring>

#include "../Capture.h"
#include "../Check.h"
#include "../DeviceMemory.h"
#include "../HostMemory.h"
#include "../Streams.h"

using namespace eagle::host;

namespace {

// Calls without a device, on the legacy default stream, are of the device whose memory they touch.
Stream& stream_at(std::uint64_t raw, std::uint64_t address, std::uint64_t other = 0) {
    const DeviceMemory& memory = this_kind.memory();
    std::int32_t device = -1;
    if (raw == 0) device = memory.device_of(address);
    if (raw == 0 && device < 0 && other != 0) device = memory.device_of(other);
    return Streams::of_process().of_raw(raw, device);
}

void* at(std::uint64_t address) { return reinterpret_cast<void*>(address); }

void require_address(std::uint64_t address, const char* name, std::uint64_t bytes) {
    if (address == 0) refuse(std::string(name) + " is null with " + std::to_string(bytes) + " bytes; pass an address");
}

// The same work now or later: it is small and owns nothing.
template <class Work>
void submit(Stream& stream, const Work& work) {
    Streams::of_process().submit(stream, work, [&] { return Task(work); });
}

Node memory_node(NodeKind kind, std::uint64_t dst, std::uint64_t src, std::uint64_t bytes) {
    Node node;
    node.kind = kind;
    node.dst = dst;
    node.src = src;
    node.bytes = bytes;
    return node;
}

void copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes, std::int32_t kind, std::uint64_t stream) {
    if (bytes == 0) return;
    require_address(dst, "dst", bytes);
    require_address(src, "src", bytes);
    Stream& on = stream_at(stream, dst, src);
    this_kind.memory().require_copy(on.device, dst, src, bytes, kind);
    auto node = [&] {
        Node copied = memory_node(NodeKind::copy, dst, src, bytes);
        copied.copy_kind = kind;
        return copied;
    };
    if (record(on, node)) return;
    submit(on, [=] {
        if (dst != src) std::memmove(at(dst), at(src), bytes);
    });
}

template <class Allocate>
std::uint64_t allocate(std::uint64_t bytes, eagle_backend_status without_memory, Allocate&& from) {
    try {
        return from();
    } catch (const std::bad_alloc&) {
        throw Failure(without_memory,
                      "cannot allocate " + std::to_string(bytes) + " bytes; the system has no memory for them");
    }
}

}  // namespace

eagle_backend_status eagle_backend_memcpy_device(uint64_t dst, uint64_t src, uint64_t nbytes, uint64_t stream) {
    return entry("eagle_backend_memcpy_device",
                 [&] { copy(dst, src, nbytes, EAGLE_BACKEND_MEMCPY_DEVICE_TO_DEVICE, stream); });
}

eagle_backend_status eagle_backend_memcpy(uint64_t dst, uint64_t src, uint64_t nbytes, int32_t kind, uint64_t stream) {
    return entry("eagle_backend_memcpy", [&] {
        if (kind < EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE || kind > EAGLE_BACKEND_MEMCPY_HOST_TO_HOST) {
            refuse("kind is " + std::to_string(kind) +
                   "; it must be 0 (host to device), 1 (device to host), 2 (device to device) or 3 (host to host)");
        }
        copy(dst, src, nbytes, kind, stream);
    });
}

eagle_backend_status eagle_backend_memset_device(uint64_t dst, uint64_t nbytes, uint64_t stream) {
    return entry("eagle_backend_memset_device", [&] {
        if (nbytes == 0) return;
        require_address(dst, "dst", nbytes);
        Stream& on = stream_at(stream, dst);
        this_kind.memory().require_reachable(on.device, dst, nbytes, "dst");
        if (record(on, [&] { return memory_node(NodeKind::fill, dst, 0, nbytes); })) return;
        submit(on, [=] { std::memset(at(dst), 0, nbytes); });
    });
}

eagle_backend_status eagle_backend_host_alloc(uint64_t nbytes, uint64_t* address) {
    return entry("eagle_backend_host_alloc", [&] {
        require_output(address, "address");
        *address = 0;
        constexpr std::uint64_t page = 4096;
        *address =
            allocate(nbytes, EAGLE_BACKEND_ERROR, [&] { return HostMemory::of_process().allocate(nbytes, page); });
    });
}

eagle_backend_status eagle_backend_host_free(uint64_t address) {
    return entry("eagle_backend_host_free", [&] { HostMemory::of_process().free(address); });
}

eagle_backend_status eagle_backend_host_func(uint64_t stream, eagle_backend_host_fn fn, void* ctx) {
    return entry("eagle_backend_host_func", [&] {
        if (!fn) refuse("fn is null; pass the function to run");
        Streams& streams = Streams::of_process();
        Stream& on = streams.of_raw(stream);
        auto node = [&] {
            Node host;
            host.kind = NodeKind::host_function;
            host.fn = fn;
            host.ctx = ctx;
            return host;
        };
        if (!record(on, node)) streams.submit_host_function(on, fn, ctx);
    });
}

eagle_backend_status eagle_backend_sdk_device_alloc(int32_t device, uint64_t nbytes, uint64_t stream,
                                                    uint64_t* address) {
    return entry("eagle_backend_sdk_device_alloc", [&] {
        require_usable();
        device = require_device(device);
        require_output(address, "address");
        *address = 0;
        require_no_capture(Streams::of_process().of_raw(stream, device), "an allocation on");
        require_no_capture_here("an allocation");
        *address = allocate(nbytes, EAGLE_BACKEND_SDK_OUT_OF_MEMORY,
                            [&] { return this_kind.memory().allocate(device, nbytes); });
    });
}

eagle_backend_status eagle_backend_sdk_device_free(int32_t device, uint64_t address, uint64_t stream) {
    return entry("eagle_backend_sdk_device_free", [&] {
        require_usable();
        device = require_device(device);
        Stream& on = Streams::of_process().of_raw(stream, device);
        if (address == 0) return;
        DeviceMemory& memory = this_kind.memory();
        memory.require_owned(address);
        if (!put_off_free(on, address)) submit(on, [&memory, address] { memory.free(address); });
    });
}
