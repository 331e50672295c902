// Scratch that a graph gives back.
#include <eagle/Error.h>
#include <eagle/GraphAnalysis.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

using namespace eagle;
using namespace eagle::graph;

namespace {

std::string refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const InvalidArgument& error) {
        return error.what();
    }
    return "nothing was refused";
}

// Four planes of 1024 bytes, each written from the one before it: without keep() the first and the third share bytes.
struct Chain {
    GraphDescription g{"chain"};
    std::vector<PlaneRef> planes;
    Chain() {
        for (int i = 0; i < 4; ++i)
            planes.push_back(g.scratch("p" + std::to_string(i), {128}, Dtype::float64, {"chain.py", 1}));
        g.fill(planes[0], 1.0);
        for (std::size_t i = 1; i < 4; ++i) g.copy(planes[i], planes[i - 1]);
    }
    ArenaPlan plan() const { return plan_arena(g, analyze(g)); }
};

TEST(Results, share_bytes_with_no_other_plane) {
    EXPECT_EQ(Chain{}.plan().bytes, 2048u);
    for (std::size_t kept = 0; kept < 4; ++kept) {
        Chain chain;
        chain.g.keep(chain.planes[kept]);
        const ArenaPlan plan = chain.plan();
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(plan.offsets[i] == plan.offsets[kept], i == kept) << i << " beside " << kept;
        EXPECT_LE(plan.bytes, 3072u);
    }
}

TEST(Results, of_a_view_are_the_plane_behind_it) {
    Chain chain;
    const std::int64_t shape = 4, stride = 8;
    chain.g.keep(chain.g.view("head", chain.planes[0], 0, {&shape, 1}, {&stride, 1}));
    EXPECT_TRUE(chain.g.plane(chain.planes[0]).kept);
    EXPECT_FALSE(chain.g.plane(chain.g.find_plane("head")).kept);
}

TEST(Results, of_the_caller_are_kept_anyway) {
    std::vector<double> x(4);
    GraphDescription g;
    const PlaneRef plane = g.plane("x", ArrayView::of(std::span(x)));
    g.fill(plane, 0);
    g.keep(plane);
    EXPECT_FALSE(g.plane(plane).kept);
}

TEST(Results, that_nothing_writes_are_refused) {
    Chain chain;
    chain.g.keep(chain.g.scratch("y", {2}, Dtype::int32, {"chain.py", 7}));
    EXPECT_EQ(refusal([&] { chain.g.check_complete(); }),
              "chain.py:7: plane 'y' (int32[2], scratch, chain.py:7) is a result of the graph, and no node writes it; "
              "write it, or do not keep it");
}

TEST(Results, of_a_child_are_refused) {
    auto child = std::make_shared<Chain>();
    child->g.keep(child->planes[3]);
    GraphDescription parent("parent");
    EXPECT_EQ(refusal([&] {
                  parent.child(std::shared_ptr<const GraphDescription>(child, &child->g), "inner", {"main.py", 3});
              }),
              "main.py:3: node 'inner' has a child that keeps its scratch plane 'p3' (float64[128], scratch, "
              "chain.py:1); a child's scratch is its own for one replay: let the child write a plane of the caller's");
}

}  // namespace
