// Device code of the fake driver's own tests.
extern "C" __device__ void cudaGraphSetConditional(unsigned long long handle, unsigned value);

__device__ unsigned sample() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void add_to(unsigned* x, unsigned value, unsigned n) {
    if (sample() < n) x[sample()] += value;
}

extern "C" __global__ void add_vectors(const unsigned* x, unsigned* y, unsigned n) {
    if (sample() < n) y[sample()] += x[sample()];
}

// Sums of the block's threads: by shuffles in each warp, then through shared memory.
extern "C" __global__ void block_sums(const unsigned* x, unsigned* sums, unsigned n) {
    __shared__ unsigned of_warp[32];
    unsigned value = sample() < n ? x[sample()] : 0u;
    for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned all = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) all += of_warp[w];
    sums[blockIdx.x] = all;
}

extern "C" __global__ void count_down(unsigned long long handle, unsigned* left) {
    cudaGraphSetConditional(handle, --*left);
}

extern "C" __global__ void decide(unsigned long long handle, const unsigned* value) {
    cudaGraphSetConditional(handle, *value);
}

extern "C" {
__device__ unsigned table[4] = {1, 2, 3, 4};
}
