// What the headers need of a device's compiler: nvcc, NVRTC, or one that has the words of CUDA C++.
#pragma once
#ifdef __AMDGCN__
#include "hawk/device/amd.h"
#endif

#define HAWK_FN __device__ __forceinline__
#define HAWK_LONG __device__ __attribute__((noinline))
#define HAWK_LAMBDA
#define HAWK_COLD static __device__ __attribute__((noinline))
#define HAWK_TABLE static __device__ constexpr

namespace hawk {

HAWK_FN int lowest_bit(unsigned a) { return __ffs((int)a) - 1; }
HAWK_FN int leading_zeros(unsigned long long a) { return __clzll((long long)a); }

// The lanes of a warp that exist: the last one of a block may have fewer than 32.
struct Warp {
    unsigned present, lane;
    HAWK_FN Warp() : lane(threadIdx.x % 32) {
        const unsigned behind = blockDim.x - (threadIdx.x - lane);
        present = behind < 32 ? (1u << behind) - 1 : ~0u;
    }
    HAWK_FN unsigned ballot(bool vote) const { return __ballot_sync(present, vote); }
    HAWK_FN bool any(bool vote) const { return __any_sync(present, vote) != 0; }
    HAWK_FN unsigned long long from(int of_lane, unsigned long long value) const {
        return __shfl_sync(present, value, of_lane);
    }
};

HAWK_FN long long thread_of_grid() { return (long long)blockIdx.x * blockDim.x + threadIdx.x; }
HAWK_FN long long threads_of_grid() { return (long long)gridDim.x * blockDim.x; }
HAWK_FN unsigned long long draw_from(long long* cursor, unsigned count) {
    return atomicAdd((unsigned long long*)cursor, (unsigned long long)count);
}
HAWK_FN void add_to(long long* sum, unsigned long long value) { atomicAdd((unsigned long long*)sum, value); }
// A word that the host, or another thread, may read and write meanwhile.
HAWK_FN long long look_at(const long long* word) { return *(const volatile long long*)word; }
HAWK_FN void set_at(long long* word, long long value) { *(volatile long long*)word = value; }

}  // namespace hawk
