// What a backend says of itself when it is opened, before any row runs.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "Seam.h"

namespace eagle::conformance {

struct Facts {
    std::uint32_t version = 0;  // (major << 16) | minor
    std::string file;           // as it was named
    std::string kind, release, archs;
    std::int32_t device_runtime = 0;  // build_info.cudart_version
    std::uint64_t capabilities = 0;
    std::vector<std::int32_t> device_types;  // DLPack
    std::array<bool, symbol_count> present{};
    std::string unusable;  // the words of probe where it is not OK; "" where a device is usable
    std::int32_t devices = 0;
    std::string device_name, device_uuid, device_bus;  // of the device that is judged; "" where it does not say
    std::string kernels;                               // the file of the test kernels
    std::string kernels_trouble;                       // why they cannot be used; "" where they can

    bool has(Symbol symbol) const { return present[static_cast<std::size_t>(symbol)]; }
    // All memory of this kind is the host's: a row may read and write it where it lies.
    bool is_host_kind() const { return device_types == std::vector<std::int32_t>{1}; }
    // Symbol and the bit that promises it.
    bool provides(Symbol symbol) const { return has(symbol) && (bit_of(symbol) & ~capabilities) == 0; }
};

}  // namespace eagle::conformance
