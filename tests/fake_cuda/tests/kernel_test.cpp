// Device code on fibers, and modules.
#include <cstring>

#include "Driver.h"

namespace driver {
namespace {

using Kernel = Driver;

TEST_F(Kernel, ThreadsOfABlockMeetAtBarriersAndShuffles) {
    constexpr unsigned n = 1000, block = 128, blocks = 8;
    CUdeviceptr x = words(n, 0), sums = words(blocks, 0);
    for (unsigned i = 0; i < n; ++i) at(x)[i] = i;
    unsigned count = n;
    void* params[] = {&x, &sums, &count};
    EXPECT_DONE(cuLaunchKernel(function("block_sums"), blocks, 1, 1, block, 1, 1, 0, a, params, nullptr));
    EXPECT_DONE(cuStreamSynchronize(a));
    for (unsigned b_index = 0; b_index < blocks; ++b_index) {
        unsigned first = b_index * block, last = std::min(n, first + block) - 1;
        EXPECT_EQ(at(sums)[b_index], (first + last) * (last - first + 1) / 2);
    }
}

TEST_F(Kernel, AModuleTellsWhatItHolds) {
    CUfunction found = nullptr;
    EXPECT_CODE(cuModuleGetFunction(&found, module, "nothing"), CUDA_ERROR_NOT_FOUND);
    CUdeviceptr table = 0;
    std::size_t bytes = 0;
    EXPECT_DONE(cuModuleGetGlobal(&table, &bytes, module, "table"));
    EXPECT_EQ(bytes, 16u);
    EXPECT_EQ(at(table)[3], 4u);
}

TEST_F(Kernel, ImagesOfNoDeviceAreRefused) {
    CUmodule other = nullptr;
    EXPECT_CODE(cuModuleLoadData(&other, "no image at all"), CUDA_ERROR_INVALID_IMAGE);
    unsigned char gpu_code[64] = {0x7f, 'E', 'L', 'F'};
    gpu_code[18] = 190;  // EM_CUDA
    EXPECT_CODE(cuModuleLoadData(&other, gpu_code), CUDA_ERROR_NO_BINARY_FOR_GPU);
}

TEST_F(Kernel, LaunchesWithoutThreadsAreRefused) {
    CUdeviceptr x = words(64, 0);
    unsigned one = 1, n = 64;
    void* params[] = {&x, &one, &n};
    CUfunction f = function("add_to");
    EXPECT_CODE(cuLaunchKernel(f, 0, 1, 1, 64, 1, 1, 0, a, params, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_CODE(cuLaunchKernel(f, 1, 1, 1, 2048, 1, 1, 0, a, params, nullptr), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace driver
