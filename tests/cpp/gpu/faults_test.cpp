// One program that captures, replays, changes and gives back: with the n-th call of the driver failing, for every n.
// Each time it must end in a refusal with words (or not at all), and leave the process as it was: no capture open, the
// caller's context current, nothing alive that was not before; and the same program must then run.
#include <vector>

#include "Client.h"

namespace {

using namespace client;

constexpr std::int64_t samples = 100;

struct Given {  // what there was before
    long long streams, graphs, execs, memory, pinned, captures;
    // Once what is on the streams is done: memory is given back in their order.
    static Given now() {
        static const CUcontext device = primary(0);
        const CUcontext before = current();
        make_current(device);
        reinterpret_cast<PFN_cuCtxSynchronize_v2000>(driver("cuCtxSynchronize", 2000))();
        make_current(before);
        return {count("stream"), count("graph"), count("exec"), count("memory"), count("pinned"), count("capture")};
    }
    bool operator==(const Given&) const = default;
};

std::string text(const Given& g) {
    return std::to_string(g.streams) + " streams, " + std::to_string(g.graphs) + " graphs, " + std::to_string(g.execs) +
           " execs, " + std::to_string(g.memory) + " allocations, " + std::to_string(g.pinned) + " pinned, " +
           std::to_string(g.captures) + " captures";
}

bool has_loops() {
    std::uint64_t groups = 0;
    EXPECT_OK(capabilities(&groups));
    return (groups & EAGLE_BACKEND_CAP_CONDITIONAL) != 0;
}

class Program {
  public:
    explicit Program(std::uint64_t module) : add_(kernel(module, "conformance_twice_and")) {}

    // Whether every call succeeded. What was made is given back whatever happened.
    bool run() {
        const bool is_done = build() && capture() && replay();
        give_back();
        return is_done;
    }
    std::vector<std::int64_t> found;
    std::vector<std::string> words;  // of the calls that failed

  private:
    bool step(eagle_backend_status status) {
        if (status != EAGLE_BACKEND_OK) words.push_back(last_error());
        return status == EAGLE_BACKEND_OK;
    }
    bool launch(std::uint64_t stream, std::int64_t value) {
        std::uint64_t params[2] = {reinterpret_cast<std::uint64_t>(&value), reinterpret_cast<std::uint64_t>(&plane_)};
        auto desc = make<struct eagle_backend_launch_desc>();
        desc.device = -1;
        desc.block = 64;
        desc.function = add_;
        desc.params = params;
        desc.nparams = 2;
        desc.count = desc.n_samples = samples;
        desc.stream = stream;
        std::int32_t launched = 0;
        return step(run_device(&desc, &launched));
    }
    bool build() {
        auto stream = make<struct eagle_backend_stream_desc>();
        stream.flags = EAGLE_BACKEND_STREAM_NON_BLOCKING;
        if (!step(stream_create(&stream, &stream_)) || !step(stream_ptr(stream_, &raw_))) return false;
        if (!step(sdk_device_alloc(0, samples * 8, raw_, &plane_))) return false;
        if (!step(sdk_device_alloc(0, 64, raw_, &cells_)) || !step(host_alloc(samples * 8, &pinned_))) return false;
        if (!step(memset_device(plane_, samples * 8, raw_)) || !step(memset_device(cells_, 64, raw_))) return false;
        auto fork = make<struct eagle_backend_fork_desc>();
        fork.origin = raw_;
        fork.branch_count = 2;
        fork.waits = 1;
        if (!step(fork_create(&fork, &fork_))) return false;
        if (!has_loops()) return make_capturer();
        auto loop = make<struct eagle_backend_conditional_desc>();
        loop.device = -1;
        loop.origin = raw_;
        loop.kind = EAGLE_BACKEND_CONDITIONAL_KIND_WHILE;
        loop.count_ptr = cells_;
        loop.counter_ptr = cells_ + 8;
        loop.negate = 1;
        loop.loop_cap = 3;
        return step(conditional_create(&loop, &loop_)) && make_capturer();
    }
    bool make_capturer() {
        auto capturer = make<struct eagle_backend_capturer_desc>();
        capturer.device = -1;
        capturer.stream = raw_;
        return step(capturer_create(&capturer, &capturer_));
    }
    bool capture() {
        if (!step(capturer_begin(capturer_))) return false;
        const bool is_recorded = record();
        const bool is_ended = step(capturer_end(capturer_, &captured_));
        if (!is_recorded || !is_ended) return false;
        if (!step(graph_from_captured(captured_, &graph_))) return false;
        captured_ = nullptr;
        return true;
    }
    bool record() {
        std::uint64_t left = 0, right = 0, mark = 0, body = 0;
        if (!launch(raw_, 1) || !step(fork_fork(fork_))) return false;
        if (!step(fork_branch(fork_, 0, &left)) || !step(fork_branch(fork_, 1, &right))) return false;
        if (!launch(left, 2) || !step(fork_mark(fork_, 0, &mark)) || !step(fork_wait(fork_, 1, mark))) return false;
        if (!launch(right, 3) || !step(fork_join(fork_))) return false;
        if (loop_ && (!step(conditional_begin(loop_, &body)) || !launch(body, 1) || !step(conditional_end(loop_))))
            return false;
        std::uint64_t* nodes = nullptr;
        std::int64_t number = 0;
        if (!step(capture_snapshot_nodes(raw_, &nodes, &number))) return false;
        first_ = nodes[0];
        client::free(nodes);
        return step(eagle_memcpy()) && step(host_func(raw_, [](void*) {}, nullptr));
    }
    eagle_backend_status eagle_memcpy() {
        return client::memcpy(pinned_, plane_, samples * 8, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, raw_);
    }
    bool replay() {
        if (!step(graph_stream(graph_, raw_)) || !step(graph_launcher(graph_, &launcher_))) return false;
        if (!step(launcher_launch(launcher_)) || !step(launcher_synchronize(launcher_))) return false;
        found.push_back(*reinterpret_cast<std::int64_t*>(pinned_));
        if (!step(launcher_set_node_enabled(launcher_, first_, 0)) || !step(launcher_launch(launcher_))) return false;
        if (!step(launcher_synchronize(launcher_))) return false;
        found.push_back(*reinterpret_cast<std::int64_t*>(pinned_));
        return true;
    }
    // A release says nothing; what a failed call of the driver did to it is seen in the counts.
    void give_back() {
        for (int tries = 0; stream_ && tries < 20 && stream_synchronize(stream_) != EAGLE_BACKEND_OK; ++tries) {
        }
        launcher_release(launcher_);
        graph_release(graph_);
        captured_release(captured_);
        capturer_release(capturer_);
        if (loop_) conditional_release(loop_);
        fork_release(fork_);
        // These say whether they did it, and are asked again.
        if (sdk_device_free(0, plane_, raw_) != EAGLE_BACKEND_OK) sdk_device_free(0, plane_, raw_);
        if (sdk_device_free(0, cells_, raw_) != EAGLE_BACKEND_OK) sdk_device_free(0, cells_, raw_);
        if (host_free(pinned_) != EAGLE_BACKEND_OK) host_free(pinned_);
        stream_release(stream_);
    }

    std::uint64_t add_, raw_ = 0, plane_ = 0, cells_ = 0, pinned_ = 0, first_ = 0;
    eagle_backend_stream stream_ = nullptr;
    eagle_backend_capturer capturer_ = nullptr;
    eagle_backend_captured captured_ = nullptr;
    eagle_backend_fork fork_ = nullptr;
    eagle_backend_conditional loop_ = nullptr;
    eagle_backend_graph graph_ = nullptr;
    eagle_backend_launcher launcher_ = nullptr;
};

// y = 2 y + v for the values, and three times 1 where there are loops.
std::int64_t after(std::int64_t y, std::vector<std::int64_t> values) {
    if (has_loops()) values.insert(values.end(), 3, 1);
    for (std::int64_t value : values) y = 2 * y + value;
    return y;
}

TEST(Faults, EveryCallOfTheDriverMayFail) {
    const std::uint64_t module = load_kernels();
    auto fail = reinterpret_cast<decltype(&fake_cuda_fail)>(fake("fake_cuda_fail"));
    auto failed = reinterpret_cast<decltype(&fake_cuda_failed_call)>(fake("fake_cuda_failed_call"));
    auto calls = reinterpret_cast<decltype(&fake_cuda_calls)>(fake("fake_cuda_calls"));
    {
        Program first(module);  // what is made once a process is there from here on
        ASSERT_TRUE(first.run()) << first.words.front();
        const std::int64_t once = after(0, {1, 2, 3});
        EXPECT_EQ(first.found, (std::vector<std::int64_t>{once, after(once, {2, 3})}));  // then without the first
    }
    const CUcontext outer = primary(1);
    make_current(outer);  // the caller works with another device
    const Given before = Given::now();
    Program whole(module);
    const auto from = calls();
    ASSERT_TRUE(whole.run());
    const auto length = calls() - from;
    ASSERT_GT(length, 80u);
    int refusals = 0;
    for (unsigned long long n = 1; n <= length; ++n) {
        Program broken(module);
        fail(n, 1, CUDA_ERROR_UNKNOWN);
        const bool is_done = broken.run();
        const std::string at = "call " + std::to_string(n) + " (" + failed() + ")";
        fail(0, 0, 0);
        refusals += !is_done;
        EXPECT_EQ(is_done, broken.words.empty()) << at;
        for (const std::string& words : broken.words) EXPECT_FALSE(words.empty()) << at;
        ASSERT_EQ(current(), outer) << at;
        ASSERT_EQ(Given::now(), before) << at << ": " << text(Given::now()) << ", and before " << text(before);
        Program again(module);
        ASSERT_TRUE(again.run()) << at << ", then: " << again.words.front();
    }
    EXPECT_GT(refusals, 60);
    make_current(nullptr);
}

// No release is asked for again: what the driver does not take meanwhile waits for the next call, and goes with it.
TEST(Faults, TenInARowKeepNothingForEver) {
    const std::uint64_t module = load_kernels();
    auto fail = reinterpret_cast<decltype(&fake_cuda_fail)>(fake("fake_cuda_fail"));
    auto failed = reinterpret_cast<decltype(&fake_cuda_failed_call)>(fake("fake_cuda_failed_call"));
    auto calls = reinterpret_cast<decltype(&fake_cuda_calls)>(fake("fake_cuda_calls"));
    ASSERT_TRUE(Program(module).run());
    const Given before = Given::now();
    Program whole(module);
    const auto from = calls();
    ASSERT_TRUE(whole.run());
    const auto length = calls() - from;
    for (const int code : {CUDA_ERROR_UNKNOWN, CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_NOT_SUPPORTED}) {
        for (unsigned long long n = 1; n <= length; ++n) {
            Program broken(module);
            fail(n, 10, code);
            (void)broken.run();
            const std::string at = "from call " + std::to_string(n) + " (" + failed() + ") on, " + std::to_string(code);
            fail(0, 0, 0);
            std::int32_t devices = 0;
            EXPECT_OK(sdk_device_count(&devices));
            ASSERT_EQ(Given::now(), before) << at << ": " << text(Given::now()) << ", and before " << text(before);
        }
    }
}

// The device does not take what is let go of for as long as it cannot be made current. A call then asks it as often as
// for one block alone, and afterwards all of it goes.
TEST(Faults, WhatWaitsForADeviceCostsACallNoMoreThanOne) {
    auto fail = reinterpret_cast<decltype(&fake_cuda_fail)>(fake("fake_cuda_fail"));
    auto calls = reinterpret_cast<decltype(&fake_cuda_calls)>(fake("fake_cuda_calls"));
    use_a_device();
    const Given before = Given::now();
    const auto calls_with = [&](int blocks) {
        std::vector<std::uint64_t> there(static_cast<std::size_t>(blocks));
        for (std::uint64_t& address : there) EXPECT_OK(sdk_device_alloc(0, 64, 0, &address));
        fail(1, 1000000, CUDA_ERROR_NOT_INITIALIZED);
        for (const std::uint64_t address : there) EXPECT_OK(sdk_device_free(0, address, 0));
        std::int32_t devices = 0;
        const auto from = calls();
        EXPECT_OK(sdk_device_count(&devices));
        const auto made = calls() - from;
        fail(0, 0, 0);
        EXPECT_EQ(Given::now().memory, before.memory + blocks);
        EXPECT_OK(sdk_device_count(&devices));
        EXPECT_EQ(Given::now(), before);
        return made;
    };
    const auto of_one = calls_with(1);
    EXPECT_GT(of_one, 0u);
    EXPECT_EQ(calls_with(200), of_one);
}

}  // namespace
