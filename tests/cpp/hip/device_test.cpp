// Devices, streams and what only HIP has of refusals.
#include <dlfcn.h>
#include <hip_abi.h>

#include "../gpu/Client.h"

namespace {

using namespace client;
namespace abi = eagle::hip::abi;

template <class Function>
Function hip(const char* name) {
    static void* const library = dlopen(HIP_SHIM_7, RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<Function>(dlsym(library, name));
}
#define HIP(name) hip<abi::Entry_##name>(#name)

struct Stream {
    eagle_backend_stream handle = nullptr;
    std::uint64_t raw = 0;
    explicit Stream(std::int32_t device = 0) {
        auto desc = make<struct eagle_backend_stream_desc>();
        desc.flags = EAGLE_BACKEND_STREAM_NON_BLOCKING;
        desc.device = device;
        EXPECT_OK(stream_create(&desc, &handle));
        EXPECT_OK(stream_ptr(handle, &raw));
    }
    ~Stream() { stream_release(handle); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    std::int64_t code() const { return static_cast<std::int64_t>(raw); }
};

TEST(Device, IsNamedAsTheShimThatItIs) {
    auto props = make<struct eagle_backend_device_props>();
    EXPECT_OK(device_props(0, &props));
    EXPECT_STREQ(props.name,
                 "HIP host logic over a shim; never run on AMD hardware (fake-cuda (host memory, test only))");
    EXPECT_EQ(props.sm_count, 2);
    EXPECT_EQ(props.warp_size, 32);
    EXPECT_DOUBLE_EQ(props.peak_bytes_per_s, 16.0 * 2e9 * 256 / 8);
    EXPECT_DOUBLE_EQ(props.peak_flops_sp, 2.0 * 128 * 2 * 1e9);
    EXPECT_DOUBLE_EQ(props.fp64_ratio, 0.0);  // HIP does not tell
    auto identity = make<struct eagle_backend_sdk_device_identity>();
    EXPECT_OK(sdk_device_identity(1, &identity));
    EXPECT_STREQ(identity.pci_bus_id, "0000:f1:00.0");
    EXPECT_EQ(identity.uuid[0], 0xEA);
}

TEST(BuildInfo, SaysWhatTheFileCarriesAndThatNoCardRanIt) {
    auto info = make<struct eagle_backend_build_info>();
    EXPECT_OK(build_info(&info));
    EXPECT_STREQ(info.backend_kind, "hip");
    EXPECT_STREQ(info.archs, EAGLE_HIP_ARCHS " (never run on AMD hardware)");
    std::int32_t types[4] = {}, number = 0;
    EXPECT_OK(device_types(types, 4, &number));
    ASSERT_EQ(number, 2);
    EXPECT_EQ(types[0], 10);
    EXPECT_EQ(types[1], 11);
}

TEST(Current, DeviceIsTheCallersAgain) {
    const Stream stream(1);
    int device = -1;
    EXPECT_EQ(HIP(hipSetDevice)(0), abi::hipSuccess);
    std::uint64_t address = 0;
    EXPECT_OK(sdk_device_alloc(-1, 64, stream.raw, &address));  // of the stream's device
    EXPECT_EQ(HIP(hipGetDevice)(&device), abi::hipSuccess);
    EXPECT_EQ(device, 0);
    std::int32_t where = -1;
    EXPECT_OK(pointer_residency(1, address, &where));
    EXPECT_EQ(where, EAGLE_BACKEND_RESIDENCY_DEVICE);
    EXPECT_OK(pointer_residency(0, address, &where));
    EXPECT_EQ(where, EAGLE_BACKEND_RESIDENCY_OTHER_DEVICE);
    EXPECT_TRUE(says(sdk_device_alloc(0, 64, stream.raw, &address), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "the stream belongs to device 1"));
    EXPECT_OK(sdk_device_free(1, address, stream.raw));
}

TEST(Fence, TakesTheCodesOfRocmAndNoOthers) {
    const Stream stream;
    for (std::int32_t type : {10, 11}) {
        for (std::int64_t code : {std::int64_t{0}, std::int64_t{-1}, EAGLE_BACKEND_STREAM_NONE}) {
            EXPECT_OK(fence(type, 0, stream.code(), code));
            EXPECT_OK(fence(type, 0, code, stream.code()));
        }
    }
    EXPECT_TRUE(says(fence(10, 0, 1, stream.code()), EAGLE_BACKEND_INTEROP, "producer is 1; for ROCm it must be"));
    EXPECT_TRUE(says(fence(10, 0, stream.code(), 2), EAGLE_BACKEND_INTEROP, "1 and 2 are CUDA's"));
    EXPECT_TRUE(says(fence(10, 0, stream.code(), -2), EAGLE_BACKEND_INTEROP, "consumer is -2"));
    EXPECT_TRUE(says(fence(2, 0, 1, 1), EAGLE_BACKEND_UNSUPPORTED, "kind hip serves the DLPack types 10, 11"));
}

TEST(Errors, AreNotLeftForTheNextWhoAsks) {
    const Stream stream;
    std::int32_t where = -1;
    int of_host = 0;
    EXPECT_OK(pointer_residency(0, reinterpret_cast<std::uint64_t>(&of_host), &where));  // an error in some runtimes
    EXPECT_EQ(where, EAGLE_BACKEND_RESIDENCY_PAGEABLE);
    const std::uint64_t module = load_kernels();
    std::uint64_t function = 0;
    EXPECT_TRUE(says(sdk_module_function(module, "nothing_such", &function), EAGLE_BACKEND_INVALID_ARGUMENT,
                     "has no kernel 'nothing_such'"));
    EXPECT_EQ(HIP(hipGetLastError)(), abi::hipSuccess);
    EXPECT_OK(sdk_module_unload(module));
}

TEST(Launch, OfMoreThreadsThanHipCountsIsRefused) {
    const Stream stream;
    const std::uint64_t module = load_kernels();
    std::int64_t value = 1;
    std::uint64_t plane = 0,
                  params[2] = {reinterpret_cast<std::uint64_t>(&value), reinterpret_cast<std::uint64_t>(&plane)};
    auto desc = make<struct eagle_backend_launch_desc>();
    desc.function = kernel(module, "conformance_add");
    desc.block = 1024;
    desc.params = params;
    desc.nparams = 2;
    desc.count = desc.n_samples = (std::int64_t{1} << 32) + 1;
    desc.stream = stream.raw;
    std::int32_t launched = -1;
    EXPECT_TRUE(says(run_device(&desc, &launched), EAGLE_BACKEND_UNSUPPORTED,
                     "the launch is of 4194305 blocks of 1024 threads; on HIP a grid has at most 2^32 - 1 threads"));
    EXPECT_EQ(launched, 0);
    EXPECT_OK(sdk_module_unload(module));
}

TEST(Module, WhatIsNoDeviceCodeIsRefused) {
    auto desc = make<struct eagle_backend_sdk_module_desc>();
    std::uint64_t module = 0;
    const char words[] = "not device code";
    desc.image = words;
    desc.image_bytes = sizeof words;
    EXPECT_TRUE(says(sdk_module_load(&desc, &module), EAGLE_BACKEND_ERROR, "it must be a code object, or a bundle"));
}

// A copy that came otherwise than through the seam: HIP tells nothing of it that would let its source be changed.
TEST(Copy, OfAnotherRecorderKeepsItsSource) {
    const Stream stream;
    std::uint64_t plane = 0;
    EXPECT_OK(sdk_device_alloc(0, 64, stream.raw, &plane));
    auto desc = make<struct eagle_backend_capturer_desc>();
    desc.stream = stream.raw;
    eagle_backend_capturer capturer = nullptr;
    eagle_backend_captured captured = nullptr;
    eagle_backend_graph graph = nullptr;
    eagle_backend_launcher launcher = nullptr;
    std::uint64_t* nodes = nullptr;
    std::int64_t number = 0;
    EXPECT_OK(capturer_create(&desc, &capturer));
    EXPECT_OK(capturer_begin(capturer));
    auto* at = reinterpret_cast<char*>(plane);
    EXPECT_EQ(
        HIP(hipMemcpyAsync)(at, at + 32, 32, abi::hipMemcpyDefault, reinterpret_cast<abi::hipStream_t>(stream.raw)),
        abi::hipSuccess);
    EXPECT_OK(capture_snapshot_nodes(stream.raw, &nodes, &number));
    EXPECT_OK(capturer_end(capturer, &captured));
    EXPECT_OK(graph_from_captured(captured, &graph));
    EXPECT_OK(graph_launcher(graph, &launcher));
    EXPECT_TRUE(says(launcher_set_memcpy_source(launcher, nodes[0], plane), EAGLE_BACKEND_UNSUPPORTED,
                     "was not recorded through the seam"));
    client::free(nodes);
    launcher_release(launcher);
    graph_release(graph);
    capturer_release(capturer);
    EXPECT_OK(sdk_device_free(0, plane, stream.raw));
}

}  // namespace
