// Programs from seeds, captured with forks, marks, copies and fills, against the same program done one step after
// another on the host.
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include "Forking.h"

using namespace client;

namespace {

using Words = std::vector<std::uint64_t>;

// z = 3 z + 5 x + k
void mix(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    std::uint64_t* z = *static_cast<std::uint64_t* const*>(params[0]);
    const std::uint64_t* x = *static_cast<const std::uint64_t* const*>(params[1]);
    std::uint64_t k = *static_cast<const std::uint64_t*>(params[2]);
    for (std::int64_t i = base; i < base + count; ++i) z[i] = 3 * z[i] + 5 * x[i] + k;
}

// Puts a program on streams and does it on a copy of the planes at the same time. Branches share nothing that one of
// them writes, but for planes that one has given up at a mark.
class RandomProgram {
  public:
    RandomProgram(std::uint64_t seed, std::uint64_t stream, std::vector<Words>& planes)
        : random_(seed), planes_(planes), oracle_(planes), whole_(level(stream, 0)) {}
    void put() {
        std::vector<std::size_t> all;
        for (std::size_t i = 0; i < planes_.size(); ++i) all.push_back(i);
        launch(whole_.stream, 0, 1);
        region(whole_, all, {});
    }
    const std::vector<Words>& oracle() const { return oracle_; }

  private:
    struct Level {
        std::uint64_t stream;
        std::unique_ptr<Fork> fork;
        std::uint64_t branches = 0;
        std::vector<Level> inner;
    };

    std::size_t draw(std::size_t bound) { return std::size_t(random_() % bound); }
    std::size_t pick(const std::vector<std::size_t>& from) { return from[draw(from.size())]; }
    // Forks are made before the capture, two deep.
    Level level(std::uint64_t stream, int depth) {
        Level made{stream, nullptr, 2 + draw(2), {}};
        if (depth == 2) return made;
        made.fork = std::make_unique<Fork>(stream, made.branches, 1000);
        for (std::uint64_t i = 0; i < made.branches; ++i) made.inner.push_back(level(made.fork->branch(i), depth + 1));
        return made;
    }

    void launch(std::uint64_t stream, std::size_t to, std::size_t from) {
        std::uint64_t k = draw(1000);
        std::uint64_t *z = planes_[to].data(), *x = planes_[from].data();
        Launch(&mix, 0, std::int64_t(planes_[to].size()), stream, z, x, k).run();
        for (std::size_t i = 0; i < oracle_[to].size(); ++i)
            oracle_[to][i] = 3 * oracle_[to][i] + 5 * oracle_[from][i] + k;
    }
    void copy(std::uint64_t stream, std::size_t to, std::size_t from) {
        std::uint64_t bytes = 8 * planes_[to].size();
        ASSERT_EQ(memcpy_device(std::uint64_t(planes_[to].data()), std::uint64_t(planes_[from].data()), bytes, stream),
                  EAGLE_BACKEND_OK);
        oracle_[to] = oracle_[from];
    }
    void clear(std::uint64_t stream, std::size_t to) {
        std::size_t words = 1 + draw(planes_[to].size());
        ASSERT_EQ(memset_device(std::uint64_t(planes_[to].data()), 8 * words, stream), EAGLE_BACKEND_OK);
        for (std::size_t i = 0; i < words; ++i) oracle_[to][i] = 0;
    }

    void region(const Level& level, std::vector<std::size_t> owned, std::vector<std::size_t> readable) {
        for (std::size_t step = 2 + draw(5); step-- > 0;) {
            std::size_t to = pick(owned), from = draw(2) && !readable.empty() ? pick(readable) : pick(owned);
            switch (draw(6)) {
                case 0:
                    copy(level.stream, to, from);
                    break;
                case 1:
                    clear(level.stream, to);
                    break;
                case 2:
                    if (level.fork && owned.size() >= 2 * level.branches) branch_out(level, owned, readable);
                    break;
                default:
                    launch(level.stream, to, from);
            }
        }
    }
    void branch_out(const Level& level, const std::vector<std::size_t>& owned, std::vector<std::size_t> readable) {
        std::vector<std::pair<std::uint64_t, std::size_t>> given_up;  // marks, and what may be read behind each
        level.fork->fork();
        std::vector<std::vector<std::size_t>> parts(level.branches);
        for (std::size_t i = 0; i < owned.size(); ++i) parts[i % level.branches].push_back(owned[i]);
        for (std::uint64_t b = 0; b < level.branches; ++b) {
            const Level& inner = level.inner[b];
            std::vector<std::size_t> more = readable;
            for (auto [mark, plane] : given_up) {
                if (draw(2) == 0) continue;
                level.fork->wait(b, mark);
                more.push_back(plane);
            }
            region(inner, parts[b], more);
            if (draw(2)) {
                given_up.emplace_back(level.fork->mark(b), parts[b].back());
                parts[b].pop_back();
            }
            region(inner, parts[b], more);
        }
        level.fork->join();
    }

    std::mt19937_64 random_;
    std::vector<Words>& planes_;
    std::vector<Words> oracle_;
    Level whole_;
};

std::vector<Words> first_planes(std::size_t words) {
    std::vector<Words> planes(12, Words(words));
    for (std::size_t p = 0; p < planes.size(); ++p) {
        for (std::size_t i = 0; i < words; ++i) planes[p][i] = p * 1000003 + i * 17;
    }
    return planes;
}

void check_program(std::uint64_t seed, std::size_t words) {
    Stream stream;
    const auto start = first_planes(words);
    auto planes = start;
    RandomProgram program(seed, stream.raw(), planes);
    Recording recording(stream.raw());
    program.put();
    Graph graph = as_it_is(recording.end());
    for (int order = 0; order < 4; ++order) {
        if (order > 0) setenv("EAGLE_CPU_SCHEDULE", ("random:" + std::to_string(order)).c_str(), 1);
        Launcher launcher = launcher_of(graph, stream.raw());
        unsetenv("EAGLE_CPU_SCHEDULE");
        for (int i = 0; i < 8; ++i) {
            for (std::size_t p = 0; p < planes.size(); ++p)
                std::copy(start[p].begin(), start[p].end(), planes[p].begin());
            replay(launcher);
            ASSERT_EQ(planes, program.oracle()) << "program " << seed << ", order " << order << ", replay " << i;
        }
    }
}

TEST(RandomPrograms, small_ones_give_what_the_host_gives) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) check_program(seed, 3);
}

TEST(RandomPrograms, ones_worth_sharing_give_what_the_host_gives) {
    for (std::uint64_t seed = 1000; seed < 1030; ++seed) check_program(seed, 5000);
}

TEST(RandomPrograms, independent_nodes_are_shared_by_the_team) {
    struct Seen {
        std::mutex mutex;
        std::set<std::thread::id> threads;
    } seen;
    auto busy = [](void* const* params, std::int64_t, std::int64_t, std::int64_t) {
        Seen& s = **static_cast<Seen* const*>(params[0]);
        auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(40);
        while (std::chrono::steady_clock::now() < until) {
        }
        std::lock_guard<std::mutex> lock(s.mutex);
        s.threads.insert(std::this_thread::get_id());
    };
    Stream stream;
    Fork fork(stream.raw(), 16);
    Seen* at = &seen;
    Recording recording(stream.raw());
    fork.fork();
    for (std::uint64_t i = 0; i < 16; ++i) Launch(busy, 0, 1, fork.branch(i), at).run();
    fork.join();
    Launcher launcher = launcher_of(as_it_is(recording.end()), stream.raw());
    for (int i = 0; i < 200 && seen.threads.size() < 2; ++i) replay(launcher);
    EXPECT_GE(seen.threads.size(), 2u);
}

}  // namespace
