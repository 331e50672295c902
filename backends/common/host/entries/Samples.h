// What an entry touches, and whether the device reaches it.
#pragma once
#include <cstdint>
#include <string>

#include "../CheckArrays.h"
#include "../DeviceMemory.h"
#include "../Kind.h"

namespace eagle::host {

// What a call touches, where it runs; null is none, and 0 bytes are not looked at.
class Reach {
  public:
    explicit Reach(std::int32_t device) : device_(device) {}
    void require(std::uint64_t address, std::uint64_t bytes, const std::string& name) const {
        if (address != 0 && bytes != 0) memory_.require_reachable(device_, address, bytes, name.c_str());
    }

  private:
    const DeviceMemory& memory_ = this_kind.memory();
    std::int32_t device_;
};

}  // namespace eagle::host
