// One device by its name, as a caller writes it: "cuda:0", "sim:1", "cpu".
#pragma once
#include <eagle/Backend.h>
#include <eagle/export.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace eagle {

struct EAGLE_API Device {
    Backend backend;
    std::int32_t number = 0;

    // A kind and a number, "cuda:0"; the kind alone is its device 0, and "gpu" the one GPU kind that is installed.
    // Loads the backend. Throws InvalidArgument for a text of another form and for a number that the kind has not,
    // BackendUnavailable where the kind is not there or has no usable device.
    static Device named(std::string_view name);
    // The same of a kind, or "gpu", and a number.
    static Device of(std::string_view kind, std::int32_t number = 0);
    std::string name() const;  // "cuda:0"
};

// "sim:1" for memory of a device, by its DLPack device type; a type that no kind serves is told by its number.
EAGLE_API std::string device_name(std::int32_t device_type, std::int32_t device);

// The number of the device whose memory that address is; 0 where the kind has one device alone, or does not tell. May
// wake the devices up to that one.
EAGLE_API std::int32_t device_of_memory(const Backend& backend, std::uint64_t address);

}  // namespace eagle
