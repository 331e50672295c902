// Branches that race are found, whatever else the graph holds.
#include <eagle/GraphAnalysis.h>
#include <gtest/gtest.h>

#include <random>

#include "Handmade.h"
#include "Interpret.h"
#include "Kernels.h"

using namespace eagle;
using namespace eagle::graph;
using handmade::refusal;

namespace {

TEST(Race, names_both_nodes_planes_and_lines) {
    std::vector<double> a(8), b(8);
    GraphDescription g;
    const auto x = g.plane("x", handmade::view(a), {"heat.py", 3});
    ArrayView half = ArrayView::host(a.data() + 4, Dtype::float64, {4});
    const auto part = g.plane("part", half, {"heat.py", 4});
    const auto y = g.plane("y", handmade::view(b), {"heat.py", 5});
    {
        auto fork = g.fork("sides", {"heat.py", 7});
        {
            auto left = fork.branch("left");
            g.copy(y, x, "save", {"heat.py", 9});
        }
        {
            auto right = fork.branch("right");
            g.fill(part, 1, "clear", {"heat.py", 11});
        }
    }
    EXPECT_EQ(
        refusal<InvalidArgument>([&] { analyze(g); }),
        "heat.py:11: two branches of fork 'sides' (heat.py:7) race: node 'save' (heat.py:9) in branch 'left' reads "
        "plane 'x' (float64[8], host memory, heat.py:3), and node 'clear' (heat.py:11) in branch 'right' writes "
        "plane 'part' (float64[4], host memory, heat.py:4); branches run in any order, so they may share only "
        "what both read: put the two into one branch, or give each its own plane");
}

TEST(Race, is_found_inside_a_body) {
    std::vector<double> a(8);
    GraphDescription g;
    const auto x = g.plane("x", handmade::view(a));
    {
        auto fork = g.fork();
        {
            auto left = fork.branch();
            auto loop = g.repeat(2, "often", {"heat.py", 4});
            g.fill(x, 1, "inner", {"heat.py", 5});
        }
        {
            auto right = fork.branch();
            g.fill(x, 2, "outer", {"heat.py", 8});
        }
    }
    const std::string text = refusal<InvalidArgument>([&] { analyze(g); });
    EXPECT_NE(text.find("node 'inner' (heat.py:5) inside node 'often' (heat.py:4) in branch 'branch 0' writes"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("node 'outer' (heat.py:8) in branch 'branch 1' writes"), std::string::npos) << text;
}

TEST(Race, what_both_branches_only_read_is_shared) {
    std::vector<double> a(8), b(8), c(8);
    GraphDescription g;
    const auto x = g.plane("x", handmade::view(a)), y = g.plane("y", handmade::view(b)),
               z = g.plane("z", handmade::view(c));
    {
        auto fork = g.fork();
        {
            auto left = fork.branch();
            g.copy(y, x);
        }
        {
            auto right = fork.branch();
            g.copy(z, x);
        }
    }
    g.copy(y, z);
    EXPECT_EQ(analyze(g).edges.size(), 2u);
}

// Branches on planes of their own, nested forks and loops among them, and two nodes somewhere in them that meet.
class Planted {
  public:
    Planted(std::uint64_t seed, bool race) : random_(seed), memory_(4096) {
        const int sides = static_cast<int>(2 + random_() % 3);
        const int first = static_cast<int>(random_() % sides);
        const int second = static_cast<int>((first + 1 + random_() % (sides - 1)) % sides);
        shared_ = line();
        const bool reader_first = random_() % 2 == 0;
        auto fork = g.fork();
        for (int side = 0; side < sides; ++side) {
            auto branch = fork.branch();
            mine_ = {line(), line(), line()};
            const bool plant = race && (side == first || side == second);
            const bool read_only = side == first && reader_first;
            fill(static_cast<int>(3 + random_() % 6), 2, plant, read_only);
        }
    }
    GraphDescription g;

  private:
    PlaneRef line() {
        const auto stride = static_cast<std::int64_t>(1 + random_() % 3);
        ArrayView view = ArrayView::host(memory_.data() + used_, Dtype::float64, {8});
        view.strides[0] = 8 * stride;
        used_ += 32;
        return g.plane("line" + std::to_string(used_), view);
    }
    void plant(bool read_only) {
        if (read_only)
            graphtest::mix(g, mine_[0], shared_, mine_[1], 0);
        else
            graphtest::add(g, shared_, 1);
    }
    void fill(int count, int depth, bool planted, bool read_only) {
        const int at = static_cast<int>(random_() % static_cast<std::uint64_t>(count));
        for (int i = 0; i < count; ++i) {
            graphtest::add(g, mine_[random_() % mine_.size()], 1);
            const bool here = planted && i == at;
            if (depth == 0 || random_() % 3 != 0) {
                if (here) plant(read_only);
                continue;
            }
            if (mine_.size() != 3 || random_() % 2 == 0) {
                auto loop = g.repeat(2);
                fill(2, depth - 1, here, read_only);
            } else {
                auto fork = g.fork();
                const auto all = mine_;
                for (std::size_t k = 0; k < 2; ++k) {
                    auto branch = fork.branch();
                    mine_ = k == 0 ? std::vector<PlaneRef>{all[0], all[1]} : std::vector<PlaneRef>{all[2], all[2]};
                    fill(2, depth - 1, here && k == 0, read_only);
                    mine_ = all;
                }
            }
        }
    }

    std::mt19937_64 random_;
    std::vector<double> memory_;
    std::size_t used_ = 0;
    PlaneRef shared_;
    std::vector<PlaneRef> mine_;
};

TEST(Race, planted_somewhere_is_found_every_time) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Planted sound(seed, false), racing(seed, true);
        EXPECT_NO_THROW(analyze(sound.g)) << seed;
        const std::string text = refusal<InvalidArgument>([&] { analyze(racing.g); });
        EXPECT_NE(text.find(" race: "), std::string::npos) << seed << text;
        EXPECT_NE(text.find("'line32'"), std::string::npos) << seed << text;
    }
}

}  // namespace
