#include "Memory.h"

#include <eagle/seam/eagle_backend.h>
#include <sys/mman.h>

#include <cstring>
#include <limits>
#include <new>
#include <string>

#include "../../../backends/common/host/Check.h"
#include "../../../backends/common/host/HostMemory.h"

namespace eagle::sim_device {

using host::refuse;

namespace {

constexpr std::uint64_t page = 4096;

// The device whose work this thread is in, or -1.
thread_local std::int32_t inside = -1;

std::uint64_t pages_of(std::uint64_t bytes) { return (bytes + page - 1) / page * page; }
void* at(std::uint64_t address) { return reinterpret_cast<void*>(address); }
std::string number(std::int32_t device) { return std::to_string(device); }

}  // namespace

std::uint64_t Memory::allocate(std::int32_t device, std::uint64_t bytes) {
    if (bytes == 0) return 0;
    if (bytes > std::numeric_limits<std::uint64_t>::max() / 2) throw std::bad_alloc();
    const std::uint64_t inner = pages_of(bytes);
    void* whole = mmap(nullptr, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED) throw std::bad_alloc();
    const std::uint64_t address = reinterpret_cast<std::uint64_t>(whole) + page;
    Lock lock(mutex_);
    try {
        blocks_.emplace(address, Block{bytes, device});
    } catch (...) {
        munmap(whole, inner + 2 * page);
        throw;
    }
    mprotect(at(address), inner, PROT_READ | PROT_WRITE);
    std::memset(at(address), fill, bytes);
    if (open_[static_cast<std::size_t>(device)] == 0) mprotect(at(address), inner, PROT_NONE);
    return address;
}

void Memory::require_owned(std::uint64_t address) const {
    Lock lock(mutex_);
    if (blocks_.count(address) != 0) return;
    refuse(
        "the address was not allocated on a device of this backend, or was freed before; pass what the allocation "
        "returned");
}

void Memory::free(std::uint64_t address) {
    if (address == 0) return;
    require_owned(address);
    Lock lock(mutex_);
    auto found = blocks_.find(address);
    munmap(at(address - page), pages_of(found->second.bytes) + 2 * page);
    blocks_.erase(found);
}

Memory::Found Memory::find(std::uint64_t address) const {
    Lock lock(mutex_);
    auto behind = blocks_.upper_bound(address);
    if (behind == blocks_.begin()) return {};
    const auto& [begin, block] = *std::prev(behind);
    return address - begin < block.bytes ? Found{begin, block} : Found{};
}

std::int32_t Memory::device_of(std::uint64_t address) const { return find(address).block.device; }

std::int32_t Memory::residency(std::int32_t device, std::uint64_t address) const {
    const std::int32_t owner = device_of(address);
    if (owner >= 0) return owner == device ? EAGLE_BACKEND_RESIDENCY_DEVICE : EAGLE_BACKEND_RESIDENCY_OTHER_DEVICE;
    const bool is_pinned = host::HostMemory::of_process().holds(address);
    return is_pinned ? EAGLE_BACKEND_RESIDENCY_MAPPED_PINNED : EAGLE_BACKEND_RESIDENCY_PAGEABLE;
}

void Memory::require_reachable(std::int32_t device, std::uint64_t address, std::uint64_t bytes,
                               const char* name) const {
    const Found found = find(address);
    if (found.block.device < 0) {
        if (host::HostMemory::of_process().holds(address)) return;
        refuse(std::string(name) + " is pageable memory of the host, which device " + number(device) +
               " does not reach; use device memory, or what eagle_backend_host_alloc gives");
    }
    if (found.block.device != device) {
        refuse(std::string(name) + " lies in memory of device " + number(found.block.device) + ", which device " +
               number(device) + " does not reach; copy it through the host");
    }
    const std::uint64_t room = found.block.bytes - (address - found.address);
    if (bytes <= room) return;
    refuse(std::string(name) + " has " + std::to_string(bytes) + " bytes, of which " + std::to_string(bytes - room) +
           " lie past the end of its allocation of " + std::to_string(found.block.bytes) + " bytes");
}

void Memory::require_host(std::uint64_t address, const char* name) const {
    const std::int32_t device = device_of(address);
    if (device < 0) return;
    refuse(std::string(name) + " lies in memory of device " + number(device) +
           ", and the kind of the copy says that it is of the host; give the kind that fits");
}

void Memory::require_copy(std::int32_t device, std::uint64_t dst, std::uint64_t src, std::uint64_t bytes,
                          std::int32_t kind) const {
    const bool to_host = kind == EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST || kind == EAGLE_BACKEND_MEMCPY_HOST_TO_HOST;
    const bool from_host = kind == EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE || kind == EAGLE_BACKEND_MEMCPY_HOST_TO_HOST;
    to_host ? require_host(dst, "dst") : require_reachable(device, dst, bytes, "dst");
    from_host ? require_host(src, "src") : require_reachable(device, src, bytes, "src");
}

void Memory::require_argument(std::int32_t device, std::uint64_t value, std::int64_t which) const {
    const std::int32_t owner = device_of(value);
    if (owner < 0 || owner == device) return;
    refuse("argument " + std::to_string(which) + " points into memory of device " + number(owner) +
           ", and the launch is on device " + number(device) + "; give memory of that device");
}

void Memory::protect(std::int32_t device, int protection) const {
    for (const auto& [address, block] : blocks_) {
        if (block.device == device) mprotect(at(address), pages_of(block.bytes), protection);
    }
}

void Memory::count(std::int32_t device, int change) {
    Lock lock(mutex_);
    int& open = open_[static_cast<std::size_t>(device)];
    const bool was_open = open > 0;
    open += change;
    if (was_open != (open > 0)) protect(device, open > 0 ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void Memory::open(std::int32_t device) {
    inside = device;
    count(device, 1);
}

void Memory::close() {
    count(inside, -1);
    inside = -1;
}

void Memory::leave_device() {
    if (inside >= 0) count(inside, -1);
}

void Memory::enter_device() {
    if (inside >= 0) count(inside, 1);
}

// What was at work is not in the child.
void Memory::after_fork(bool is_child) {
    if (is_child) {
        open_ = {};
        for (std::int32_t device = 0; device < devices; ++device) protect(device, PROT_NONE);
        inside = -1;
    }
    mutex_.unlock();
}

}  // namespace eagle::sim_device
