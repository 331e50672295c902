// The words of CUDA C++ for a clang that makes code for AMD's processors, without ROCm's headers and device libraries.
//
// Warps have 32 threads. Processors whose wavefront has 64 run two of them side by side in one: a vote is the half of
// the wavefront's vote that is the warp's own, and a shuffle stays in its half.
#pragma once

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __grid_constant__

namespace hawk::amd {

struct Index {
    unsigned x;
};
__device__ __forceinline__ unsigned lane_of_wavefront() {
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}
// The value of a lane of the same warp.
__device__ __forceinline__ unsigned value_of(unsigned value, unsigned lane) {
    constexpr unsigned bytes_of_lane = 4;
    const unsigned of_wavefront = (lane_of_wavefront() & ~31u) + (lane & 31u);
    return (unsigned)__builtin_amdgcn_ds_bpermute((int)(of_wavefront * bytes_of_lane), (int)value);
}

}  // namespace hawk::amd

#define threadIdx (hawk::amd::Index{__builtin_amdgcn_workitem_id_x()})
#define blockIdx (hawk::amd::Index{__builtin_amdgcn_workgroup_id_x()})
#define blockDim (hawk::amd::Index{__builtin_amdgcn_workgroup_size_x()})
#define gridDim (hawk::amd::Index{__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x()})

__device__ __forceinline__ void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
// The host reads what is fenced.
__device__ __forceinline__ void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, ""); }

__device__ __forceinline__ unsigned __ballot_sync(unsigned, bool vote) {
#if __AMDGCN_WAVEFRONT_SIZE == 64
    const unsigned long long all = __builtin_amdgcn_ballot_w64(vote);
    return (unsigned)(hawk::amd::lane_of_wavefront() < 32 ? all : all >> 32);
#else
    return __builtin_amdgcn_ballot_w32(vote);
#endif
}
__device__ __forceinline__ bool __any_sync(unsigned present, bool vote) { return __ballot_sync(present, vote) != 0; }
__device__ __forceinline__ unsigned long long __shfl_sync(unsigned, unsigned long long value, int lane) {
    const unsigned low = hawk::amd::value_of((unsigned)value, (unsigned)lane);
    return (unsigned long long)hawk::amd::value_of((unsigned)(value >> 32), (unsigned)lane) << 32 | low;
}

__device__ __forceinline__ int __popc(unsigned bits) { return __builtin_popcount(bits); }
__device__ __forceinline__ int __ffs(int bits) { return __builtin_ffs(bits); }
__device__ __forceinline__ int __clzll(long long bits) {
    return bits == 0 ? 64 : __builtin_clzll((unsigned long long)bits);
}

// Rounded once, as the flags of hawk's compiler run have it.
__device__ __forceinline__ double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
__device__ __forceinline__ float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
__device__ __forceinline__ double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
__device__ __forceinline__ float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

// Words of __control lie in the host's memory, so that the scope is the system's.
__device__ __forceinline__ unsigned long long atomicAdd(unsigned long long* address, unsigned long long value) {
    return __hip_atomic_fetch_add(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}
__device__ __forceinline__ unsigned long long atomicExch(unsigned long long* address, unsigned long long value) {
    return __hip_atomic_exchange(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}
__device__ __forceinline__ unsigned long long atomicCAS(unsigned long long* address, unsigned long long expected,
                                                        unsigned long long value) {
    __hip_atomic_compare_exchange_strong(address, &expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                         __HIP_MEMORY_SCOPE_SYSTEM);
    return expected;
}
