// Memory that work on a device can reach. This is a kind's whose devices use the host's memory as it is; a kind with
// memory of its own overrides all of it.
#pragma once
#include <cstdint>

namespace eagle::host {

class DeviceMemory {
  public:
    virtual ~DeviceMemory() = default;

    // Aligned to 256 bytes; 0 bytes is 0. Throws std::bad_alloc.
    virtual std::uint64_t allocate(std::int32_t device, std::uint64_t bytes);
    // Throw Failure (INVALID_ARGUMENT) for an address that was not allocated here or is free again; 0 is fine to free.
    virtual void require_owned(std::uint64_t address) const;
    virtual void free(std::uint64_t address);

    // One of EAGLE_BACKEND_RESIDENCY_*, as seen from `device`.
    virtual std::int32_t residency(std::int32_t device, std::uint64_t address) const;
    // The device that the memory belongs to, or -1.
    virtual std::int32_t device_of(std::uint64_t address) const;
    // Throw Failure (INVALID_ARGUMENT) when work on `device` cannot reach all of the range, or when the ranges are not
    // what the kind of copy says. `name` is what the range is called.
    virtual void require_reachable(std::int32_t device, std::uint64_t address, std::uint64_t bytes,
                                   const char* name) const;
    virtual void require_copy(std::int32_t device, std::uint64_t dst, std::uint64_t src, std::uint64_t bytes,
                              std::int32_t kind) const;
    // A value in the arguments of a kernel that is an address of memory which `device` cannot reach; `number` is which
    // argument. What is no address of such memory is no fault.
    virtual void require_argument(std::int32_t device, std::uint64_t value, std::int64_t number) const;

    // Around application code that runs on a stream's thread.
    virtual void leave_device() {}
    virtual void enter_device() {}
    // Around a fork.
    virtual void before_fork() {}
    virtual void after_fork(bool /*is_child*/) {}
};

// Throws Failure (INVALID_ARGUMENT) for an address, alone or at the head of a view, of memory that the device cannot
// reach. params[i] is the address of argument i; without their sizes nothing is looked at.
void require_arguments(std::int32_t device, void* const* params, const std::uint64_t* sizes, std::int64_t count);

}  // namespace eagle::host
