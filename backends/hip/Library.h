// HIP's runtime, libamdhip64.so.7 or .so.6: opened at first use, its functions found one by one. Opening it starts
// nothing: that is hipInit, which waits for the first handle.
#pragma once
#include <cstdint>
#include <string>

#include "hip_abi.h"

namespace eagle::hip {

// Null where the runtime has no such function.
struct Functions {
#define HIP_ENTRY(returns, name, groups, parameters) abi::Entry_##name name = nullptr;
#include "runtime_entries.def"
};

struct Library {
    std::string file;   // that was asked for, or that was found
    std::string error;  // why it cannot be used; "" where it can
    int version = 0;    // of HIP, from the library's own name: 7. The runtime would start to tell it.
    Functions functions;

    static const Library& of_process();
    // Capability bits of the functions that are there; without a runtime those that one can have.
    std::uint64_t capabilities() const;
};

}  // namespace eagle::hip
