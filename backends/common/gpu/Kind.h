// What the kinds that share this engine differ in. Every backend defines its own this_kind.
#pragma once
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "Driver.h"
#include "VisibleDevices.h"

namespace eagle::gpu {

struct Kind {
    const char* name;   // of the file, and in messages
    const char* archs;  // build_info.archs: the device code that the file carries
    std::vector<std::int32_t> dlpack_types;
    // Everything that a driver can give, and what the present one does; neither starts it.
    std::uint64_t (*capabilities)();
    // Both without a context, and without starting the driver: a child forked after them can use the devices.
    void (*require)();  // throws Failure (UNAVAILABLE) where the vendor's library cannot be used
    VisibleDevices (*visible_devices)();
    Driver& (*driver)();     // started; throws Failure (UNAVAILABLE)
    const void* (*image)();  // its device code (device/), null where the file carries none
    // The stream that a DLPack code names; throws Failure (INTEROP). no_ordering for -1.
    RawStream (*stream_of_code)(std::int64_t code, const char* argument);
};
extern const Kind this_kind;

constexpr RawStream no_ordering = ~RawStream{0};

inline Driver& driver() { return this_kind.driver(); }

// A device is usable; throws Failure (UNAVAILABLE).
void probe();
// 0 where there is no driver or no device: what cannot be told is no number.
int count_devices();

// The driver of the process, of a type that is made of its library. Made again after a failure: a driver may come to
// work while the process runs.
template <class D, class Library>
Driver& started(const Library& library) {
    static std::mutex& mutex = *new std::mutex;
    static D* of_process = nullptr;
    std::lock_guard<std::mutex> lock(mutex);
    if (!of_process) {
        this_kind.require();
        of_process = new D(library);
    }
    return *of_process;
}

}  // namespace eagle::gpu
