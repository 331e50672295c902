// Memory that the backend gave out, so that what comes back is checked and not followed.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "Kind.h"

namespace eagle::gpu {

class Memory {
  public:
    static Memory& of_device();  // of every device
    static Memory& of_host();    // page-locked

    void add(std::uint64_t address, int device);
    // Throws Failure (INVALID_ARGUMENT) for an address that is not here.
    int device_of(std::uint64_t address) const;
    int take(std::uint64_t address);

  private:
    std::unordered_map<std::uint64_t, int> device_of_;
};

}  // namespace eagle::gpu
