// The child of a fork: the backend works there again.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <thread>

#include "Gate.h"

using client::Gate;
using client::Launch;
using client::Stream;

namespace {

// Runs body in a child, which may take 20 seconds, and returns what it answered (0 = well) or -1 for a signal.
int in_child(const std::function<int()>& body) {
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(body());
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return -2;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void triple(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    double* plane = *static_cast<double* const*>(params[0]);
    for (std::int64_t i = base; i < base + count; ++i) {
        for (int k = 0; k < 50; ++k) plane[i] = plane[i] * 3 / 3;
        plane[i] *= 3;
    }
}

bool triples(std::uint64_t stream) {
    constexpr std::int64_t n = 200000;
    std::vector<double> plane(n, 2.0);
    double* at = plane.data();
    Launch(&triple, 0, n, stream, at).run();
    return plane == std::vector<double>(n, 6.0);
}

TEST(Fork, a_child_has_a_team_of_its_own) {
    ASSERT_TRUE(triples(0));
    EXPECT_EQ(in_child([] { return triples(0) && triples(0) ? 0 : 1; }), 0);
    EXPECT_TRUE(triples(0));
}

TEST(Fork, a_child_of_a_child_too) {
    EXPECT_EQ(in_child([] { return in_child([] { return triples(0) ? 0 : 1; }); }), 0);
}

TEST(Fork, a_stream_of_the_parent_is_idle_in_the_child) {
    Stream stream;
    int ran = 0;
    Gate gate(stream.raw());
    ASSERT_EQ(client::host_func(stream.raw(), [](void* p) { ++*static_cast<int*>(p); }, &ran), EAGLE_BACKEND_OK);
    // The parent's thread is inside the stream and work waits behind it; neither is the child's.
    EXPECT_EQ(in_child([&] {
                  if (client::stream_synchronize(stream.handle()) != EAGLE_BACKEND_OK) return 1;
                  if (!triples(stream.raw()) || !triples(0)) return 2;
                  return ran == 0 ? 0 : 3;
              }),
              0);
    gate.open();
    stream.synchronize();
    EXPECT_EQ(ran, 1);
}

TEST(Fork, a_child_forked_inside_a_host_function_goes_on) {
    struct Inside {
        int answer = -3;
        std::uint64_t raw = 0;
        static void run(void* raw) {
            auto* inside = static_cast<Inside*>(raw);
            inside->answer = in_child([&] { return triples(0) && triples(inside->raw) ? 0 : 1; });
        }
    };
    Stream stream;
    Inside inside;
    inside.raw = stream.raw();
    ASSERT_EQ(client::host_func(stream.raw(), &Inside::run, &inside), EAGLE_BACKEND_OK);
    stream.synchronize();
    EXPECT_EQ(inside.answer, 0);
    EXPECT_TRUE(triples(stream.raw()));
}

TEST(Fork, while_other_threads_launch) {
    std::atomic<bool> stop{false};
    std::vector<std::thread> pool;
    for (int t = 0; t < 2; ++t) {
        pool.emplace_back([&] {
            while (!stop.load()) {
                Stream stream;
                triples(stream.raw());
                std::uint64_t memory = 0;
                client::host_alloc(100, &memory);
                client::host_free(memory);
            }
        });
    }
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(in_child([] {
                      Stream stream;
                      std::uint64_t memory = 0;
                      if (client::host_alloc(100, &memory) != EAGLE_BACKEND_OK) return 1;
                      return triples(stream.raw()) && triples(0) ? 0 : 2;
                  }),
                  0);
    }
    stop = true;
    for (auto& thread : pool) thread.join();
}

}  // namespace
