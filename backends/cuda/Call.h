// Calls of the driver: a function that it lacks, and an error that it gives, become a Failure.
#pragma once
#include "../common/gpu/Handle.h"
#include "../common/host/LastError.h"
#include "Library.h"

namespace eagle::cuda {

[[noreturn]] void fail_without(const char* name, int since);
[[noreturn]] void fail_with(const char* name, CUresult code);

inline void check(const char* name, CUresult code) {
    if (code != CUDA_SUCCESS) fail_with(name, code);
}

inline int version_of(const char* name) {
#define CUDA_ENTRY(entry, version, groups) \
    if (std::string(name) == #entry) return version;
#include "driver_entries.def"
    return 0;
}

template <class Function>
Function require(Function function, const char* name) {
    if (!function) fail_without(name, version_of(name));
    return function;
}

using gpu::handle;
using gpu::number;

}  // namespace eagle::cuda

// CUDA_CALL(cuStreamCreate)(&stream, flags): its CUresult; CUDA_CHECK(cuStreamCreate, &stream, flags): must be a
// success. Members of the driver use both.
#define CUDA_CALL(name) ::eagle::cuda::require(f_.name, #name)
#define CUDA_CHECK(name, ...) ::eagle::cuda::check(#name, CUDA_CALL(name)(__VA_ARGS__))
