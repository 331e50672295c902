// Memory and what is done with it in stream order.
#include "../Memory.h"

#include <functional>

#include "../Capture.h"
#include "../Streams.h"
#include "Entries.h"

using namespace eagle::gpu;

namespace {

void require_address(std::uint64_t address, const char* name, std::uint64_t bytes) {
    if (address == 0) refuse(std::string(name) + " is null with " + std::to_string(bytes) + " bytes; pass an address");
}

// NVIDIA's programming guide, "Conditional Node Body Graph Requirements": copies there involve memory of the device or
// page-locked memory that is mapped for it, and no other.
void require_fit_for_body(std::uint64_t address, const char* name, int device) {
    if (driver().residency(address, device) != EAGLE_BACKEND_RESIDENCY_PAGEABLE) return;
    throw Failure(
        EAGLE_BACKEND_UNSUPPORTED,
        std::string(name) +
            " is pageable memory of the host, which a copy in a conditional body may not touch; use memory of "
            "the device or of eagle_backend_host_alloc");
}

Node node_of(NodeType type) {
    Node node;
    node.type = type;
    return node;
}

void copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes, RawStream stream) {
    if (bytes == 0) return;
    require_address(dst, "dst", bytes);
    require_address(src, "src", bytes);
    require_usable();
    const int device = device_of(-1, stream);
    const Current current(device);
    require_apart_from_captures(stream, device);
    const Place place = place_of(stream);
    if (place.part && place.part->is_body) {
        require_fit_for_body(dst, "dst", device);
        require_fit_for_body(src, "src", device);
    }
    driver().copy(dst, src, bytes, stream);
    Node node = node_of(NodeType::copy);
    node.copy = {0, dst, bytes};
    note_tip(stream, std::move(node));
}

// The other statuses are the driver's, whatever it calls an error.
bool is_of_the_caller(const Failure& e) {
    return e.status() == EAGLE_BACKEND_INVALID_ARGUMENT || e.status() == EAGLE_BACKEND_BAD_HANDLE;
}

// The device that the memory belongs to. Throws Failure where it is not what the call says, or the stream is none.
int owner_of(std::int32_t device, std::uint64_t address, RawStream stream) {
    int which = device;
    try {
        which = device_of(device, stream);
    } catch (const Failure& e) {
        // Other errors of the driver may be of earlier work: the memory goes all the same.
        if (address == 0 || is_of_the_caller(e)) throw;
    }
    if (address == 0) return which;
    const int owner = Memory::of_device().device_of(address);
    if (device >= 0 && owner != which) {
        refuse("device is " + std::to_string(which) + ", and the memory is device " + std::to_string(owner) +
               "'s; pass that");
    }
    return owner;
}

// Null for none, and where the driver does not tell.
Capture* capture_of(RawStream stream, int device) {
    try {
        const Current current(device);
        return place_of(stream).capture;
    } catch (const Failure&) {
        return nullptr;
    }
}

bool is_known(RawStream stream) { return Streams::of_process().device_of(stream) >= 0; }

void free_device(std::int32_t device, std::uint64_t address, RawStream stream) {
    require_usable();
    Lock lock(engine_lock());
    const int owner = owner_of(device, address, stream);
    if (address == 0) return;
    Capture* const capture = capture_of(stream, owner);
    std::function<void()> work = [address, stream, was_known = is_known(stream)] {
        // A handle that is gone may be another's meanwhile, and is not named.
        if (was_known && !is_known(stream)) return driver().free(address, 0);
        try {
            driver().free(address, stream);
        } catch (const Failure& e) {
            if (e.status() != EAGLE_BACKEND_BAD_HANDLE) throw;
            driver().free(address, 0);  // the stream is gone
        }
    };
    Memory::of_device().take(address);
    put_off(owner, std::move(work), capture);
}

}  // namespace

eagle_backend_status eagle_backend_memcpy_device(uint64_t dst, uint64_t src, uint64_t nbytes, uint64_t stream) {
    return entry("eagle_backend_memcpy_device", [&] { copy(dst, src, nbytes, stream); });
}

eagle_backend_status eagle_backend_memcpy(uint64_t dst, uint64_t src, uint64_t nbytes, int32_t kind, uint64_t stream) {
    return entry("eagle_backend_memcpy", [&] {
        if (kind < EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE || kind > EAGLE_BACKEND_MEMCPY_HOST_TO_HOST) {
            refuse("kind is " + std::to_string(kind) +
                   "; it must be 0 (host to device), 1 (device to host), 2 (device to device) or 3 (host to host)");
        }
        copy(dst, src, nbytes, stream);
    });
}

eagle_backend_status eagle_backend_memset_device(uint64_t dst, uint64_t nbytes, uint64_t stream) {
    return entry("eagle_backend_memset_device", [&] {
        if (nbytes == 0) return;
        require_address(dst, "dst", nbytes);
        require_usable();
        const int device = device_of(-1, stream);
        const Current current(device);
        require_apart_from_captures(stream, device);
        driver().fill(dst, 0, nbytes, stream);
        note_tip(stream, node_of(NodeType::fill));
    });
}

eagle_backend_status eagle_backend_host_alloc(uint64_t nbytes, uint64_t* address) {
    return entry("eagle_backend_host_alloc", [&] {
        require_output(address, "address");
        *address = 0;
        if (nbytes == 0) return;
        require_usable();
        // All devices can use it, and none is woken for it where another is awake.
        const int device = driver().current_context() ? device_of(-1) : driver().device_in_use();
        const Current current(device);
        const Relaxed relaxed;
        const std::uint64_t made = driver().allocate_host(nbytes);
        Memory::of_host().add(made, device);
        *address = made;
    });
}

eagle_backend_status eagle_backend_host_free(uint64_t address) {
    return entry("eagle_backend_host_free", [&] {
        if (address == 0) return;
        const int device = Memory::of_host().take(address);
        put_off(device, [address] { driver().free_host(address); });
    });
}

eagle_backend_status eagle_backend_host_func(uint64_t stream, eagle_backend_host_fn fn, void* ctx) {
    return entry("eagle_backend_host_func", [&] {
        if (!fn) refuse("fn is null; pass the function to run");
        require_usable();
        const int device = device_of(-1, stream);
        const Current current(device);
        require_apart_from_captures(stream, device);
        const Place place = place_of(stream);
        if (place.part && place.part->is_body) {
            throw Failure(EAGLE_BACKEND_UNSUPPORTED, "a host function node may not be in a conditional body");
        }
        driver().call_host(stream, fn, ctx);
        note_tip(stream, node_of(NodeType::host_function));
    });
}

eagle_backend_status eagle_backend_sdk_device_alloc(int32_t device, uint64_t nbytes, uint64_t stream,
                                                    uint64_t* address) {
    return entry(
        "eagle_backend_sdk_device_alloc",
        [&] {
            require_usable();
            const int which = device_of(device, stream);
            require_output(address, "address");
            *address = 0;
            const Current current(which);
            require_no_capture(stream, "an allocation on");
            require_no_capture_here("an allocation");
            if (nbytes == 0) return;
            const std::uint64_t made = driver().allocate(nbytes, stream);
            Memory::of_device().add(made, which);
            *address = made;
        },
        no_memory);
}

eagle_backend_status eagle_backend_sdk_device_free(int32_t device, uint64_t address, uint64_t stream) {
    return entry("eagle_backend_sdk_device_free", [&] { free_device(device, address, stream); });
}
