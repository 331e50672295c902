// The arena of graphs with many scratch planes: against what is alive at once, and against planes put down largest
// first by an oracle that asks pair by pair.
#include <eagle/GraphAnalysis.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "Brute.h"
#include "Handmade.h"

using namespace eagle;
using namespace eagle::graph;

namespace {

void nothing(void* const*, std::int64_t, std::int64_t, std::int64_t) {}

// Lanes whose nodes each touch the lane's own plane, which puts them in order; each scratch plane belongs to a lane.
class Lanes {
  public:
    Lanes(std::size_t lanes, std::uint64_t seed, std::int64_t most_units)
        : memory_(lanes), random_(seed), most_units_(most_units), scratch_(lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane)
            lanes_.push_back(
                g.plane(std::string("lane").append(std::to_string(lane)), ArrayView::of(std::span(&memory_[lane], 1))));
    }
    void step() {
        const std::size_t lane = below(lanes_.size());
        if (below(12) == 0)
            join();
        else if (below(10) == 0)
            body(lane);
        else
            use(lane);
    }
    // A node of a lane that makes a plane of 1 to `most_units` times 256 bytes, and reads some made before.
    void use(std::size_t lane) {
        std::vector<FunctionArgument> arguments{of(lanes_[lane], Mode::read_write)};
        read_some(lane, arguments);
        const std::int64_t units = 1 + static_cast<std::int64_t>(below(static_cast<std::size_t>(most_units_)));
        const PlaneRef made = g.scratch(std::to_string(g.planes().size()), {32 * units}, Dtype::float64);
        arguments.push_back(of(made, Mode::write));
        arguments.back().whole = true;
        add(std::move(arguments));
        scratch_[lane].push_back(made);
    }
    GraphDescription g;

  private:
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
    static FunctionArgument of(PlaneRef plane, Mode mode) {
        FunctionArgument argument;
        argument.plane = plane;
        argument.mode = mode;
        return argument;
    }
    void add(std::vector<FunctionArgument> arguments) {
        g.function(reinterpret_cast<std::uint64_t>(&nothing), 1, std::move(arguments), {});
    }
    void read_some(std::size_t lane, std::vector<FunctionArgument>& arguments) {
        const auto& made = scratch_[lane];
        for (std::size_t k = below(3); k != 0 && !made.empty(); --k) {
            const PlaneRef plane = made[made.size() - 1 - below(std::min<std::size_t>(made.size(), 8))];
            const auto same = [&](const FunctionArgument& other) { return other.plane.index == plane.index; };
            if (std::none_of(arguments.begin(), arguments.end(), same)) arguments.push_back(of(plane, Mode::read));
        }
    }
    // A node behind all that some of the lanes did.
    void join() {
        std::vector<FunctionArgument> arguments;
        const bool all = below(2) == 0;
        for (std::size_t lane = 0; lane < lanes_.size(); ++lane)
            if (all || below(2) == 0) {
                arguments.push_back(of(lanes_[lane], Mode::read_write));
                read_some(lane, arguments);
            }
        if (!arguments.empty()) add(std::move(arguments));
    }
    // A loop or an if, whose planes are not known outside.
    void body(std::size_t lane) {
        const auto outside = scratch_[lane];
        const auto fill = [&] {
            for (std::size_t n = 2 + below(4); n != 0; --n) use(lane);
        };
        if (below(2) == 0) {
            auto loop = g.repeat(3);
            fill();
        } else {
            const CellRef flag = g.cell(std::string("flag").append(std::to_string(g.planes().size())));
            g.fill(flag, 1);
            auto branch = g.if_(flag);
            {
                auto then = branch.then();
                fill();
            }
            scratch_[lane] = outside;
            {
                auto otherwise = branch.otherwise();
                fill();
            }
        }
        scratch_[lane] = outside;
    }

    std::vector<double> memory_;
    std::mt19937_64 random_;
    std::int64_t most_units_;
    std::vector<PlaneRef> lanes_;
    std::vector<std::vector<PlaneRef>> scratch_;  // by lane
};

// Of a graph whose nodes are all in order, without bodies: the most bytes of planes between their first and last node.
std::uint64_t alive_at_once(const GraphDescription& g) {
    std::vector<std::uint64_t> alive(g.nodes().size(), 0);
    for (std::uint32_t p = 0; p < g.planes().size(); ++p) {
        if (!g.planes()[p].scratch) continue;
        std::vector<std::size_t> users;
        for (std::size_t n = 0; n < g.nodes().size(); ++n)
            for (const Access& access : g.nodes()[n].accesses)
                if (access.plane == p) users.push_back(n);
        if (users.empty()) continue;
        for (std::size_t n = users.front(); n <= users.back(); ++n) alive[n] += (g.planes()[p].bytes + 255) / 256 * 256;
    }
    return *std::max_element(alive.begin(), alive.end());
}

class Placement : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Placement, of_branches_and_bodies_holds_no_two_that_are_alive) {
    for (const std::size_t lanes : {1, 2, 5, 40}) {
        Lanes made(lanes, GetParam() * 100 + lanes, 3);
        for (int i = 0; i < 80; ++i) made.step();
        const ArenaPlan plan = plan_arena(made.g, analyze(made.g));
        EXPECT_EQ(graphtest::arena_fault(made.g, plan), "") << lanes << " lanes";
        EXPECT_LE(plan.bytes, graphtest::largest_first(made.g)) << lanes << " lanes";
    }
}

TEST_P(Placement, of_a_chain_with_planes_of_one_size_is_what_is_alive_at_once) {
    Lanes made(1, GetParam(), 1);
    for (int i = 0; i < 120; ++i) made.use(0);
    const ArenaPlan plan = plan_arena(made.g, analyze(made.g));
    EXPECT_EQ(graphtest::arena_fault(made.g, plan), "");
    EXPECT_EQ(plan.bytes, alive_at_once(made.g));
}

TEST_P(Placement, of_a_chain_with_planes_of_many_sizes_is_not_less_than_what_is_alive_at_once) {
    Lanes made(1, GetParam(), 6);
    for (int i = 0; i < 120; ++i) made.use(0);
    const ArenaPlan plan = plan_arena(made.g, analyze(made.g));
    EXPECT_EQ(graphtest::arena_fault(made.g, plan), "");
    EXPECT_GE(plan.bytes, alive_at_once(made.g));
    EXPECT_LE(plan.bytes, graphtest::largest_first(made.g));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Placement, testing::Range<std::uint64_t>(0, 6));

// More planes in one stretch of branches than a row of bits or a block of columns holds: in each of three lanes, of
// which no node waits for another lane, two planes are alive at once.
TEST(PlacementOfMany, three_long_lanes_take_two_planes_each) {
    std::vector<double> from(3);
    GraphDescription g;
    for (int lane = 0; lane < 3; ++lane) {
        const std::string name = std::to_string(lane) + "_";
        PlaneRef last = g.plane("x" + name, ArrayView::of(std::span(&from[static_cast<std::size_t>(lane)], 1)));
        for (int i = 0; i < 400; ++i) {
            const PlaneRef next = g.scratch(name + std::to_string(i), {1}, Dtype::float64);
            g.copy(next, last);
            last = next;
        }
    }
    const ArenaPlan plan = plan_arena(g, analyze(g));
    EXPECT_EQ(plan.bytes, 6u * 256);
    std::vector<std::uint64_t> of_lane[3];
    for (int lane = 0; lane < 3; ++lane)
        for (int i = 0; i < 400; ++i)
            of_lane[lane].push_back(plan.offsets[g.find_plane(std::to_string(lane) + "_" + std::to_string(i)).index]);
    for (int lane = 0; lane < 3; ++lane) {
        for (std::size_t i = 1; i < 400; ++i) EXPECT_NE(of_lane[lane][i], of_lane[lane][i - 1]);
        for (int other = 0; other < lane; ++other)
            for (const std::uint64_t offset : of_lane[other])
                EXPECT_EQ(std::count(of_lane[lane].begin(), of_lane[lane].end(), offset), 0);
    }
}

// Beside the number of the iteration, which is a plane of the loop.
TEST(PlacementOfMany, a_loop_of_many_planes_in_turns_takes_two) {
    std::vector<double> x(1), y(1);
    GraphDescription g;
    PlaneRef last = g.plane("x", ArrayView::of(std::span(x)));
    {
        auto loop = g.repeat(2);
        for (int i = 0; i < 2000; ++i) {
            const PlaneRef next = g.scratch(std::to_string(i), {1}, Dtype::float64);
            g.copy(next, last);
            last = next;
        }
        g.copy(g.plane("y", ArrayView::of(std::span(y))), last);
    }
    EXPECT_EQ(plan_arena(g, analyze(g)).bytes, 3u * 256);
}

}  // namespace
