// Compiles a .cu file for this machine: include it before the file, and name each kernel behind it.
//
//   #include <fake_cuda/DeviceSource.h>
//   #include "kernels.cu"
//   FAKE_CUDA_KERNEL(my_kernel);
//
// Every thread of a block is a fiber; barriers and warp operations are where they meet. Blocks run one after another.
// Dynamic shared memory, cooperative groups, textures and warp operations over a part of a warp are not there.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "Kernel.h"

namespace fake_cuda {

struct Dim3 {
    unsigned x, y, z;
};
Dim3 thread_index();
Dim3 block_index();
Dim3 block_size();
Dim3 grid_size();

void barrier();
unsigned ballot(bool vote);
unsigned shuffle(unsigned value, int source_lane);  // its own value where there is no such lane
void run_threads(const Launch& launch, void (*body)(void* context), void* context);

template <auto Function>
struct Adapter;

template <class... Arguments, void (*Function)(Arguments...)>
struct Adapter<Function> {
    static constexpr std::size_t sizes[sizeof...(Arguments) + 1] = {sizeof(Arguments)..., 0};

    template <std::size_t... I>
    static void call(void** arguments, std::index_sequence<I...>) {
        Function(*static_cast<std::remove_cv_t<Arguments>*>(arguments[I])...);
    }
    static void thread(void* context) {
        call(static_cast<const Launch*>(context)->arguments, std::index_sequence_for<Arguments...>{});
    }
    static void run(const Launch& launch) { run_threads(launch, &thread, const_cast<Launch*>(&launch)); }
    static constexpr Kernel kernel(const char* name) { return {name, &run, sizes, sizeof...(Arguments)}; }
};

}  // namespace fake_cuda

#define FAKE_CUDA_KERNEL(name)                                                                         \
    extern "C" __attribute__((visibility("default"))) const fake_cuda::Kernel fake_cuda_kernel_##name; \
    const fake_cuda::Kernel fake_cuda_kernel_##name = fake_cuda::Adapter<&name>::kernel(#name)

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __restrict__
#define __shared__ static thread_local
#define __launch_bounds__(...)
#define __grid_constant__

#define threadIdx (::fake_cuda::thread_index())
#define blockIdx (::fake_cuda::block_index())
#define blockDim (::fake_cuda::block_size())
#define gridDim (::fake_cuda::grid_size())

struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

inline void __syncthreads() { fake_cuda::barrier(); }
inline unsigned __ballot_sync(unsigned, int vote) { return fake_cuda::ballot(vote != 0); }
inline unsigned __shfl_sync(unsigned, unsigned value, int lane) { return fake_cuda::shuffle(value, lane); }
inline unsigned long long __shfl_sync(unsigned, unsigned long long value, int lane) {
    const unsigned low = fake_cuda::shuffle(static_cast<unsigned>(value), lane);
    return static_cast<unsigned long long>(fake_cuda::shuffle(static_cast<unsigned>(value >> 32u), lane)) << 32u | low;
}
inline int __any_sync(unsigned, int vote) { return fake_cuda::ballot(vote != 0) != 0; }
inline unsigned __shfl_up_sync(unsigned, unsigned value, unsigned delta) {
    return fake_cuda::shuffle(value, static_cast<int>(threadIdx.x & 31u) - static_cast<int>(delta));
}
inline unsigned __shfl_down_sync(unsigned, unsigned value, unsigned delta) {
    return fake_cuda::shuffle(value, static_cast<int>((threadIdx.x & 31u) + delta));
}
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __clzll(long long bits) { return bits == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(bits)); }
inline double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
inline float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
inline double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
inline float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }

template <class T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
    return std::atomic_ref<T>(*address).fetch_add(value);
}
template <class T>
T atomicExch(T* address, std::type_identity_t<T> value) {
    return std::atomic_ref<T>(*address).exchange(value);
}
template <class T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
    std::atomic_ref<T>(*address).compare_exchange_strong(expected, value);
    return expected;
}
