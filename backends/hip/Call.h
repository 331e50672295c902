// Calls of the runtime: a function that it lacks, and an error that it gives, become a Failure.
#pragma once
#include <cstdint>

#include "../common/gpu/Handle.h"
#include "../common/host/LastError.h"
#include "Library.h"

namespace eagle::hip {

[[noreturn]] void fail_without(const char* name);
[[noreturn]] void fail_with(const char* name, abi::hipError_t code);

// The code, once the runtime has forgotten it: what it keeps for hipGetLastError would be found by whoever asks next, a
// framework behind its own launch for one.
abi::hipError_t taken(abi::hipError_t code);

inline void check(const char* name, abi::hipError_t code) {
    if (code != abi::hipSuccess) fail_with(name, code);
}

template <class Function>
Function require(Function function, const char* name) {
    if (!function) fail_without(name);
    return function;
}

using gpu::handle;
using gpu::number;

}  // namespace eagle::hip

// HIP_CALL(hipInit, 0): its hipError_t; HIP_CHECK(hipInit, 0): must be a success. Members of the driver use both.
#define HIP_CALL(name, ...) ::eagle::hip::taken(::eagle::hip::require(f_.name, #name)(__VA_ARGS__))
#define HIP_CHECK(name, ...) ::eagle::hip::check(#name, HIP_CALL(name, __VA_ARGS__))
