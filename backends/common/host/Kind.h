// What the kinds that share this engine differ in. Every backend defines its own this_kind.
#pragma once
#include <eagle/seam/eagle_backend.h>

#include <cstdint>

// The name that build_info.archs gives this machine's own code.
#if defined(__x86_64__)
#define EAGLE_HOST_CODE "x86-64"
#elif defined(__aarch64__)
#define EAGLE_HOST_CODE "aarch64"
#else
#define EAGLE_HOST_CODE "host"
#endif

namespace eagle::host {

class DeviceMemory;
class StreamRunner;

struct Kind {
    const char* name;               // of the file, and in messages
    const char* archs;              // build_info.archs
    std::int32_t dlpack_type;       // the one that it serves
    std::int32_t devices;           // ordinals 0 to devices - 1
    const char* schedule_variable;  // names the order in which independent nodes of a graph run (Schedule.h)
    bool is_random;                 // that order where the variable is not set: any, or as recorded
    void (*describe)(struct eagle_backend_device_props& full);  // all but `device`; throws Failure
    bool has_own_memory;                                        // that the host does not reach
    DeviceMemory& (*memory)();
    StreamRunner* (*runner)();  // null: work runs on the threads that put it on a stream or wait for it
};
extern const Kind this_kind;

}  // namespace eagle::host
