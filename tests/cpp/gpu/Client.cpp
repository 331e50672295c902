#include "Client.h"

#include <dlfcn.h>

#include <cstdlib>

namespace client {

void* address_of(const char* symbol) {
    static void* const library = dlopen(EAGLE_GPU_BACKEND, RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, symbol) : nullptr;
}

void* fake(const char* symbol) {
    static void* const library = dlopen(FAKE_CUDA_DRIVER, RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, symbol) : nullptr;
}

void* driver(const char* name, int form) {
    void* found = nullptr;
    reinterpret_cast<PFN_cuGetProcAddress_v12000>(fake("cuGetProcAddress_v2"))(name, &found, form, 0, nullptr);
    return found;
}

long long count(const char* what) {
    return reinterpret_cast<decltype(&fake_cuda_count)>(fake("fake_cuda_count"))(what);
}

CUcontext current() {
    CUcontext context = nullptr;
    reinterpret_cast<PFN_cuCtxGetCurrent_v4000>(driver("cuCtxGetCurrent", 4000))(&context);
    return context;
}

void make_current(CUcontext context) {
    reinterpret_cast<PFN_cuCtxSetCurrent_v4000>(driver("cuCtxSetCurrent", 4000))(context);
}

CUcontext primary(int device) {
    CUcontext context = nullptr;
    reinterpret_cast<PFN_cuDevicePrimaryCtxRetain_v7000>(driver("cuDevicePrimaryCtxRetain", 7000))(&context, device);
    return context;
}

std::uint64_t groups_with(const char* variable, const char* value) {
    std::uint64_t groups = 0;
    int ends[2];
    if (pipe(ends) != 0) return 0;
    expect_in_child(([&] {
        setenv(variable, value, 1);
        std::uint64_t found = 0;
        EXPECT_OK(capabilities(&found));
        EXPECT_EQ(write(ends[1], &found, sizeof found), ssize_t{sizeof found});
    }));
    EXPECT_EQ(read(ends[0], &groups, sizeof groups), ssize_t{sizeof groups});
    close(ends[0]);
    close(ends[1]);
    return groups;
}

void use_a_device() {
    auto desc = make<struct eagle_backend_stream_desc>();
    eagle_backend_stream stream = nullptr;
    EXPECT_OK(stream_create(&desc, &stream));
    EXPECT_OK(stream_synchronize(stream));
    stream_release(stream);
}

std::uint64_t load_kernels() {
    auto desc = make<struct eagle_backend_sdk_module_desc>();
    desc.path = CONFORMANCE_KERNELS;
    std::uint64_t module = 0;
    EXPECT_OK(sdk_module_load(&desc, &module));
    return module;
}

std::uint64_t kernel(std::uint64_t module, const char* name) {
    std::uint64_t function = 0;
    EXPECT_OK(sdk_module_function(module, name, &function));
    return function;
}

}  // namespace client
