// Edges, by hand: what must be in order, and nothing else.
#include <eagle/GraphAnalysis.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

using namespace eagle;
using namespace eagle::graph;

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs pairs_of(const GraphAnalysis& analysis) {
    Pairs pairs;
    for (const Edge& edge : analysis.edges) pairs.emplace_back(edge.from, edge.to);
    return pairs;
}

class Order : public testing::Test {
  protected:
    std::vector<double> memory_ = std::vector<double>(64);
    GraphDescription g;
    PlaneRef at(const char* name, std::size_t first, std::int64_t n, std::int64_t stride = 1) {
        ArrayView view = ArrayView::host(memory_.data() + first, Dtype::float64, {n});
        view.strides[0] = stride * 8;
        return g.plane(name, view);
    }
};

TEST_F(Order, chain_has_one_edge_a_link) {
    const auto x = at("x", 0, 4), y = at("y", 4, 4), z = at("z", 8, 4);
    g.fill(x, 1);
    g.copy(y, x);
    g.copy(z, y);
    g.fill(y, 2);
    const auto a = analyze(g);
    EXPECT_EQ(pairs_of(a), (Pairs{{0, 1}, {1, 2}, {2, 3}}));
    EXPECT_EQ(a.edges[0].hazard, Hazard::read_after_write);
    EXPECT_EQ(a.edges[2].hazard, Hazard::write_after_read);
    EXPECT_EQ(planes_of(g, a.edges[0]), std::vector<std::string>{"x"});
    EXPECT_EQ(a.device, (Device{1, 0}));
}

TEST_F(Order, diamond_joins_both_sides) {
    const auto x = at("x", 0, 4), y = at("y", 4, 4), z = at("z", 8, 4), sum = at("sum", 12, 1);
    g.fill(x, 1);
    g.copy(y, x);
    g.copy(z, x);
    g.host([] {}, {y, z}, {sum});
    EXPECT_EQ(pairs_of(analyze(g)), (Pairs{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
}

TEST_F(Order, interleaved_views_do_not_meet) {
    const auto even = at("even", 0, 8, 2), odd = at("odd", 1, 8, 2), all = at("all", 0, 16);
    g.host([] {}, {}, {even});
    g.host([] {}, {}, {odd});
    g.host([] {}, {all}, {});
    EXPECT_EQ(pairs_of(analyze(g)), (Pairs{{0, 2}, {1, 2}}));
}

TEST_F(Order, a_body_counts_as_one_node_with_what_it_touches) {
    const auto x = at("x", 0, 4), y = at("y", 4, 4), z = at("z", 8, 4);
    g.fill(x, 1);
    g.fill(z, 1);
    {
        auto loop = g.repeat(3);
        g.copy(y, x);
        g.fill(x, 2);
    }
    g.copy(z, y);
    EXPECT_EQ(pairs_of(analyze(g)), (Pairs{{0, 2}, {3, 4}, {1, 5}, {2, 5}}));
}

TEST_F(Order, condition_cells_are_reads) {
    const auto x = at("x", 0, 4);
    const auto flag = g.cell("flag");
    g.fill(flag, 1);
    auto branch = g.if_(flag);
    {
        auto then = branch.then();
        g.fill(x, 1);
    }
    g.fill(flag, 0);
    const auto a = analyze(g);
    EXPECT_EQ(pairs_of(a), (Pairs{{0, 1}, {1, 3}}));
    EXPECT_EQ(a.edges[1].hazard, Hazard::write_after_read);
}

}  // namespace
