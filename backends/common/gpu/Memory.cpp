#include "Memory.h"

#include "../host/Check.h"
#include "Objects.h"

namespace eagle::gpu {

Memory& Memory::of_device() {
    static Memory& all = *new Memory;
    return all;
}

Memory& Memory::of_host() {
    static Memory& all = *new Memory;
    return all;
}

void Memory::add(std::uint64_t address, int device) {
    Lock lock(engine_lock());
    device_of_[address] = device;
}

int Memory::device_of(std::uint64_t address) const {
    Lock lock(engine_lock());
    auto found = device_of_.find(address);
    if (found != device_of_.end()) return found->second;
    host::refuse(
        "the address was not allocated by this backend, or was freed before; pass what the allocation returned");
}

int Memory::take(std::uint64_t address) {
    Lock lock(engine_lock());
    const int device = device_of(address);
    device_of_.erase(address);
    return device;
}

}  // namespace eagle::gpu
