#include "Driver.h"

#include <dlfcn.h>

#include <fstream>
#include <iterator>

namespace driver {

void* symbol_of(const char* name) {
    static void* const library = dlopen(FAKE_CUDA_DRIVER, RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : nullptr;
}

void* address_of(const char* name, int version) {
    auto find = reinterpret_cast<PFN_cuGetProcAddress_v12000>(symbol_of("cuGetProcAddress_v2"));
    void* found = nullptr;
    if (find) find(name, &found, version, 0, nullptr);
    return found;
}

void Driver::SetUp() {
    ASSERT_NE(cuInit, nullptr);
    EXPECT_DONE(cuInit(0));
    EXPECT_DONE(cuDevicePrimaryCtxRetain(&context, 0));
    EXPECT_DONE(cuCtxSetCurrent(context));
    EXPECT_DONE(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    EXPECT_DONE(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    std::ifstream file(FAKE_CUDA_KERNELS, std::ios::binary);
    std::vector<char> image((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    EXPECT_DONE(cuModuleLoadData(&module, image.data()));
}

void Driver::TearDown() {
    EXPECT_DONE(cuStreamDestroy(a));
    EXPECT_DONE(cuStreamDestroy(b));
    for (CUdeviceptr address : memory_) EXPECT_DONE(cuMemFree(address));
    EXPECT_DONE(cuModuleUnload(module));
    EXPECT_DONE(cuDevicePrimaryCtxRelease(0));
    EXPECT_DONE(cuCtxSetCurrent(nullptr));
}

CUdeviceptr Driver::words(std::size_t count, unsigned value) {
    CUdeviceptr address = 0;
    EXPECT_DONE(cuMemAlloc(&address, count * sizeof(unsigned)));
    memory_.push_back(address);
    for (std::size_t i = 0; i < count; ++i) at(address)[i] = value;
    return address;
}

CUfunction Driver::function(const char* name) {
    CUfunction found = nullptr;
    EXPECT_DONE(cuModuleGetFunction(&found, module, name));
    return found;
}

CUresult Driver::launch(const char* name, CUstream stream, unsigned threads, std::vector<void*> parameters) {
    return cuLaunchKernel(function(name), (threads + 63) / 64, 1, 1, 64, 1, 1, 0, stream, parameters.data(), nullptr);
}

CUresult Driver::add(CUdeviceptr& x, unsigned value, CUstream stream) {
    unsigned n = 64;
    return launch("add_to", stream, n, {&x, &value, &n});
}

}  // namespace driver
