// Where NVIDIA's driver is strict: captures that are over, streams that others made, copies in conditional bodies,
// graphs with a conditional in others, and more shared memory than a kernel has without asking.
#include <vector>

#include "../gpu/Client.h"

namespace {

using namespace client;

constexpr std::uint64_t bytes = 64;

class Strict : public ::testing::Test {
  protected:
    void SetUp() override {
        auto desc = make<struct eagle_backend_stream_desc>();
        desc.flags = EAGLE_BACKEND_STREAM_NON_BLOCKING;
        ASSERT_OK(stream_create(&desc, &handle_));
        make_current(primary(0));  // for the driver's own functions
        ASSERT_OK(stream_ptr(handle_, &stream));
        ASSERT_OK(sdk_device_alloc(0, bytes, stream, &plane));
    }
    void TearDown() override {
        capturer_release(capturer_);
        sdk_device_free(0, plane, stream);
        stream_release(handle_);
    }
    void begin(std::uint64_t on) {
        capturer_release(capturer_);
        auto desc = make<struct eagle_backend_capturer_desc>();
        desc.device = -1;
        desc.stream = on;
        EXPECT_OK(capturer_create(&desc, &capturer_));
        EXPECT_OK(capturer_begin(capturer_));
    }
    // Whether what was captured is a graph.
    eagle_backend_status end() {
        eagle_backend_captured captured = nullptr;
        const eagle_backend_status status = capturer_end(capturer_, &captured);
        if (captured) captured_release(captured);  // without touching the words of a refusal
        return status;
    }
    eagle_backend_conditional conditional() {
        auto desc = make<struct eagle_backend_conditional_desc>();
        desc.device = -1;
        desc.origin = stream;
        desc.kind = EAGLE_BACKEND_CONDITIONAL_KIND_IF;
        desc.count_ptr = plane;
        eagle_backend_conditional made = nullptr;
        EXPECT_OK(conditional_create(&desc, &made));
        return made;
    }

    std::uint64_t stream = 0, plane = 0;
    eagle_backend_capturer capturer_ = nullptr;

  private:
    eagle_backend_stream handle_ = nullptr;
};

// The driver tells neither id nor graph of such a capture.
TEST_F(Strict, ACaptureThatIsOverIsOnlyEnded) {
    auto desc = make<struct eagle_backend_fork_desc>();
    desc.device = -1;
    desc.origin = stream;
    desc.branch_count = 2;
    eagle_backend_fork fork = nullptr;
    ASSERT_OK(fork_create(&desc, &fork));
    eagle_backend_conditional guard = conditional();
    begin(stream);
    EXPECT_EQ(reinterpret_cast<PFN_cuStreamSynchronize_v2000>(driver("cuStreamSynchronize", 2000))(
                  reinterpret_cast<CUstream>(stream)),
              CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    std::uint64_t body = 0, *nodes = nullptr;
    std::int64_t number = 0;
    const char* words = "ended by a call that no capture survives";
    EXPECT_TRUE(says(fork_fork(fork), EAGLE_BACKEND_ERROR, words));
    EXPECT_TRUE(says(conditional_begin(guard, &body), EAGLE_BACKEND_ERROR, words));
    EXPECT_TRUE(says(capture_snapshot_nodes(stream, &nodes, &number), EAGLE_BACKEND_ERROR, words));
    EXPECT_TRUE(says(end(), EAGLE_BACKEND_ERROR, "no capture survives"));
    begin(stream);
    EXPECT_OK(fork_fork(fork));
    EXPECT_OK(fork_join(fork));
    EXPECT_OK(memset_device(plane, bytes, stream));
    EXPECT_OK(end());
    conditional_release(guard);
    fork_release(fork);
}

TEST_F(Strict, ABlockingStreamOfAnotherIsNotEndedByTheDefaultStream) {
    CUstream blocking = nullptr;
    ASSERT_EQ(reinterpret_cast<PFN_cuStreamCreate_v2000>(driver("cuStreamCreate", 2000))(&blocking, CU_STREAM_DEFAULT),
              CUDA_SUCCESS);
    const auto foreign = reinterpret_cast<std::uint64_t>(blocking);
    begin(foreign);
    EXPECT_OK(memset_device(plane, bytes, foreign));
    EXPECT_TRUE(says(memset_device(plane, bytes, 0), EAGLE_BACKEND_ERROR,
                     "the default stream waits for blocking streams, and one of them is in a capture"));
    EXPECT_OK(end());
    EXPECT_OK(memset_device(plane, bytes, 0));
    EXPECT_EQ(reinterpret_cast<PFN_cuStreamDestroy_v4000>(driver("cuStreamDestroy", 4000))(blocking), CUDA_SUCCESS);
}

TEST_F(Strict, PageableMemoryIsNotCopiedInAConditionalBody) {
    std::vector<char> pageable(bytes);
    const auto host = reinterpret_cast<std::uint64_t>(pageable.data());
    std::uint64_t pinned = 0, body = 0;
    ASSERT_OK(host_alloc(bytes, &pinned));
    eagle_backend_conditional guard = conditional();
    begin(stream);
    EXPECT_OK(client::memcpy(plane, host, bytes, EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, stream));  // outside it may be
    ASSERT_OK(conditional_begin(guard, &body));
    EXPECT_TRUE(says(client::memcpy(plane, host, bytes, EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, body),
                     EAGLE_BACKEND_UNSUPPORTED, "src is pageable memory of the host"));
    EXPECT_TRUE(says(client::memcpy(host, plane, bytes, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, body),
                     EAGLE_BACKEND_UNSUPPORTED, "use memory of the device or of eagle_backend_host_alloc"));
    EXPECT_OK(client::memcpy(pinned, plane, bytes, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, body));
    EXPECT_OK(conditional_end(guard));
    EXPECT_OK(end());
    conditional_release(guard);
    EXPECT_OK(host_free(pinned));
}

TEST_F(Strict, AGraphWithAConditionalIsNoChildOfAnother) {
    std::uint64_t body = 0;
    eagle_backend_conditional guard = conditional();
    begin(stream);
    ASSERT_OK(conditional_begin(guard, &body));
    EXPECT_OK(memset_device(plane, bytes, body));
    EXPECT_OK(conditional_end(guard));
    eagle_backend_captured captured = nullptr;
    ASSERT_OK(capturer_end(capturer_, &captured));
    auto desc = make<struct eagle_backend_graph_desc>();
    eagle_backend_graph outer = nullptr, whole = nullptr;
    ASSERT_OK(graph_create(&desc, &outer));
    EXPECT_TRUE(
        says(graph_add_node(outer, captured), EAGLE_BACKEND_UNSUPPORTED, "use eagle_backend_graph_from_captured"));
    EXPECT_OK(graph_from_captured(captured, &whole));  // it is the caller's still
    graph_release(whole);
    graph_release(outer);
    conditional_release(guard);
}

TEST_F(Strict, SharedMemoryBeyond48KibibytesIsAskedFor) {
    const std::uint64_t module = load_kernels();
    std::int64_t value = 1;
    std::uint64_t params[2] = {reinterpret_cast<std::uint64_t>(&value), reinterpret_cast<std::uint64_t>(&plane)};
    auto desc = make<struct eagle_backend_launch_desc>();
    desc.function = kernel(module, "conformance_add");
    desc.block = 32;
    desc.params = params;
    desc.nparams = 2;
    desc.count = desc.n_samples = 8;
    desc.stream = stream;
    auto options = make<struct eagle_backend_sdk_launch_options>();
    std::int32_t launched = -1;
    for (std::uint32_t kibibytes : {48u, 49u, 200u}) {
        options.shared_bytes = kibibytes * 1024;
        EXPECT_OK(sdk_launch(&desc, &options, &launched));
        EXPECT_EQ(launched, 1);
    }
    options.shared_bytes = 300 * 1024;
    EXPECT_TRUE(says(sdk_launch(&desc, &options, &launched), EAGLE_BACKEND_ERROR,
                     "cuFuncSetAttribute gave CUDA_ERROR_INVALID_VALUE"));
    EXPECT_EQ(launched, 0);
    EXPECT_OK(sdk_module_unload(module));
}

}  // namespace
