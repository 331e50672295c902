// What a fork leaves: the host kinds, and a clear error for the others.
#include <eagle/Memory.h>
#include <eagle/Module.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "Launch.h"
#include "Place.h"
#include "Refusal.h"

using eagle::Backend;
using loader_test::animal;
using loader_test::expect_words;

namespace {

// What `say` returns in a child of this process.
std::string in_child(const std::function<std::string()>& say) {
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        std::string text;
        try {
            text = say();
        } catch (const eagle::BadHandle& error) {
            text = std::string("BadHandle: ") + error.what();
        } catch (const std::exception& error) {
            text = std::string("another error: ") + error.what();
        }
        const bool written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    char buffer[1024];
    for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the child ended with " << status;
    return text;
}

TEST(Fork, CountsGenerations) {
    EXPECT_EQ(Backend::fork_generation(), 0u);
    EXPECT_EQ(in_child([] { return std::to_string(Backend::fork_generation()); }), "1");
    EXPECT_EQ(in_child([] { return in_child([] { return std::to_string(Backend::fork_generation()); }); }), "2");
    EXPECT_EQ(Backend::fork_generation(), 0u);
}

TEST(Fork, ADeviceKindOfTheParentIsRefusedInTheChild) {
    const auto backend = Backend::load("zoo", animal("healthy"));
    const auto refused = {std::string("BadHandle"), std::string("'zoo'"), std::string("forked"),
                          std::string("'spawn'")};
    expect_words(in_child([&] { return std::to_string(backend.table().probe()); }), refused);
    expect_words(in_child([&] { return backend.probe().message; }), refused);
    expect_words(in_child([&] { return Backend::load("zoo", animal("healthy")).kind(); }), refused);
    EXPECT_EQ(in_child([&] { return std::string(backend.usable_here() ? "usable" : "stale"); }), "stale");
    EXPECT_TRUE(backend.probe().usable);
}

TEST(Fork, AHostKindWorksAgainInTheChild) {
    const auto backend = Backend::load("zoohost", animal("host", "zoohost"));
    ASSERT_TRUE(backend.host_only());
    EXPECT_EQ(in_child([&] { return std::string(backend.probe().usable ? "usable" : "not usable"); }), "usable");
    EXPECT_EQ(in_child([&] { return Backend::load("zoohost", animal("host", "zoohost")).kind(); }), "zoohost");
}

TEST(Fork, TheChildMayLoadADeviceKindOfItsOwn) {
    const auto load = [] {
        return Backend::load("second", animal("second", "second")).probe().usable ? "usable" : "not usable";
    };
    EXPECT_EQ(in_child(load), "usable");
    expect_words(in_child([&] {
                     (void)load();
                     return in_child(load);
                 }),
                 {"BadHandle", "forked"});
}

TEST(Fork, HandlesOfADeviceAreLeftToTheProcessThatMadeThem) {
    std::optional<eagle::Stream> stream(std::in_place, Backend::load("zoo", animal("streams")));
    expect_words(in_child([&] {
                     stream->synchronize();
                     return std::string("synchronized");
                 }),
                 {"BadHandle", "forked"});
    EXPECT_EQ(in_child([&] {
                  stream.reset();
                  return std::string("let go");
              }),
              "let go");
    EXPECT_NO_THROW(stream->synchronize());
}

TEST(Fork, HandlesOfTheCpuWorkInTheChild) {
    const auto cpu = Backend::load("cpu");
    const auto module = eagle::Module::load(cpu, KERNELS_FILE);
    std::optional<eagle::Stream> stream(std::in_place, cpu);
    std::optional<eagle::DeviceBuffer> memory(std::in_place, cpu, 0, 4096);
    std::vector<double> x(100000, 1.0);
    loader_test::launch(*stream, module.function("twice"), x);
    stream->synchronize();
    const auto work = [&] {
        loader_test::launch(*stream, module.function("twice"), x);
        stream->synchronize();
        const bool right = std::all_of(x.begin(), x.end(), [](double v) { return v == 4.0; });
        memory.reset();
        stream.reset();
        return std::string(right ? "right" : "wrong");
    };
    EXPECT_EQ(in_child(work), "right");
    EXPECT_EQ(work(), "right");
}

// A child made while other threads load must not find the registry locked. The allocator of AddressSanitizer does not
// hold its own locks around a fork, so such a child can hang in any allocation there.
#ifndef __SANITIZE_ADDRESS__
TEST(Fork, WhileOtherThreadsLoad) {
    std::atomic<bool> done{false};
    std::jthread busy([&] {
        while (!done) {
            (void)Backend::reload("zoohost", animal("host", "zoohost"));
            (void)loader_test::refusal(animal("no_probe"));
        }
    });
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(in_child([] { return Backend::load("zoohost", animal("host", "zoohost")).kind(); }), "zoohost");
    }
    done = true;
}
#endif

}  // namespace
