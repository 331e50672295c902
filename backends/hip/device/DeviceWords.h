// The words of the device source for a clang that makes code for AMD processors, without ROCm's headers and device
// libraries.
//
// The source speaks of warps of 32 threads. Processors whose wavefront has 64 run two of them side by side in one: a
// vote is the half of the wavefront's vote that is the warp's own, and a shuffle stays in its half.
#pragma once

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(threads) __attribute__((launch_bounds(threads)))

struct Index {
    unsigned x;
};
#define threadIdx (Index{__builtin_amdgcn_workitem_id_x()})
#define blockIdx (Index{__builtin_amdgcn_workgroup_id_x()})
#define blockDim (Index{__builtin_amdgcn_workgroup_size_x()})

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

// What a thread has written to shared memory before it, the block's others see behind it.
__device__ inline void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

__device__ inline unsigned lane_of_wavefront() {
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
}

__device__ inline unsigned __ballot_sync(unsigned, bool vote) {
#if __AMDGCN_WAVEFRONT_SIZE == 64
    const unsigned long long all = __builtin_amdgcn_ballot_w64(vote);
    return unsigned(lane_of_wavefront() < 32 ? all : all >> 32);
#else
    return __builtin_amdgcn_ballot_w32(vote);
#endif
}

// The value of a lane of the same warp.
__device__ inline unsigned value_of_lane(unsigned value, unsigned lane) {
    constexpr unsigned bytes_of_lane = 4;
    const unsigned of_wavefront = (lane_of_wavefront() & ~31u) + lane;
    return unsigned(__builtin_amdgcn_ds_bpermute(int(of_wavefront * bytes_of_lane), int(value)));
}

__device__ inline unsigned __shfl_sync(unsigned, unsigned value, int lane) {
    return value_of_lane(value, unsigned(lane) & 31u);
}

// Its own value where there is no such lane.
__device__ inline unsigned __shfl_down_sync(unsigned, unsigned value, unsigned delta) {
    const unsigned own = lane_of_wavefront() & 31u;
    return value_of_lane(value, own + delta < 32 ? own + delta : own);
}

__device__ inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
__device__ inline int __ffs(int bits) { return __builtin_ffs(bits); }

__device__ inline unsigned atomicAdd(unsigned* address, unsigned value) {
    return __hip_atomic_fetch_add(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
