// What recording keeps.
#include <eagle/Error.h>
#include <eagle/GraphDescription.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
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

TEST(Recording, keeps_nodes_bodies_and_lines) {
    std::vector<double> a(8), b(8);
    std::uint32_t flag = 0;
    GraphDescription g("heat");
    const auto x = g.plane("x", ArrayView::of(std::span(a)));
    const auto y = g.plane("y", ArrayView::of(std::span(b)));
    const auto cell = g.cell("flag", reinterpret_cast<std::uint64_t>(&flag), {1, 0});
    const auto first = g.copy(y, x, {}, {"heat.py", 12});
    {
        auto loop = g.while_(cell, {.cap = 10});
        g.fill(x, 1.5);
        auto branch = g.if_(loop.iteration());
        {
            auto then = branch.then();
            g.fill(y, 0);
        }
        {
            auto otherwise = branch.otherwise();
            g.fill(y, 1, "ones");
        }
    }
    ASSERT_EQ(g.nodes().size(), 6u);
    EXPECT_EQ(g.node(first).where.text(), "heat.py:12");
    EXPECT_EQ(g.nodes()[1].kind(), "while");
    EXPECT_EQ(g.nodes()[2].name, "fill");
    EXPECT_EQ(g.nodes()[4].name, "fill 2");
    ASSERT_EQ(g.bodies().size(), 4u);
    EXPECT_EQ(g.bodies()[0].nodes, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(g.bodies()[1].nodes, (std::vector<std::uint32_t>{2, 3}));
    EXPECT_EQ(g.bodies()[2].nodes, (std::vector<std::uint32_t>{4}));
    EXPECT_EQ(g.bodies()[3].label, "else");
    EXPECT_EQ(g.bodies()[3].owner, 3u);
    EXPECT_EQ(g.bodies()[3].depth, 2u);
    EXPECT_NE(g.nodes()[2].where.file.find("RecordingTest.cpp"), std::string::npos);
}

TEST(Recording, that_an_exception_left_in_a_body_takes_no_more) {
    const std::string words =
        "the then of node 'hot' (heat.py:2) (heat.py:3) was left by an exception, so it holds a part of what was "
        "meant; record the "
        "graph anew, and let the exception pass or catch it inside";
    std::vector<double> a(8);
    std::uint32_t flag = 0;
    GraphDescription g("heat", {"heat.py", 1});
    const auto x = g.plane("x", ArrayView::of(std::span(a)));
    const auto cell = g.cell("flag", reinterpret_cast<std::uint64_t>(&flag), {1, 0});
    auto branch = g.if_(cell, {.name = "hot"}, {"heat.py", 2});
    try {
        auto then = branch.then({"heat.py", 3});
        g.fill(x, 1);
        throw std::runtime_error("in the middle");
    } catch (const std::runtime_error&) {
    }
    EXPECT_EQ(refusal([&] { g.fill(x, 2, {}, {"heat.py", 9}); }), "heat.py:9: " + words);
    EXPECT_EQ(refusal([&] { g.check_complete(); }), "heat.py:1: " + words);
}

TEST(Recording, goes_on_where_an_exception_was_caught_inside_the_body) {
    std::vector<double> a(8);
    GraphDescription g("heat");
    const auto x = g.plane("x", ArrayView::of(std::span(a)));
    {
        auto loop = g.repeat(2);
        EXPECT_THROW(g.fill(x, std::span<const std::byte>{}), InvalidArgument);
        g.fill(x, 1);
    }
    EXPECT_NO_THROW(g.check_complete());
}

TEST(Recording, is_abandoned_by_name) {
    GraphDescription g("heat", {"heat.py", 1});
    g.abandon("the with block", {"heat.py", 4});
    EXPECT_NE(
        refusal([&] { g.check_complete(); }).find("heat.py:1: the with block (heat.py:4) was left by an exception"),
        std::string::npos);
}

TEST(Recording, that_was_moved_from_says_so) {
    GraphDescription g("heat");
    const GraphDescription other = std::move(g);
    EXPECT_EQ(other.name(), "heat");
    for (const std::function<void()>& call : {std::function<void()>([&] { g.scratch("x", {4}, Dtype::float64); }),
                                              std::function<void()>([&] { g.check_complete(); })}) {
        try {
            call();
            FAIL() << "nothing was refused";
        } catch (const InvalidArgument& error) {
            EXPECT_NE(std::string(error.what()).find("was moved from"), std::string::npos) << error.what();
        }
    }
}

TEST(Recording, takes_the_low_half_of_an_integer_as_a_cell) {
    std::vector<std::int64_t> numbers{(std::int64_t{1} << 32) + 7, 5};
    GraphDescription g;
    const auto plane = g.plane("numbers", ArrayView::of(std::span(numbers)));
    const Plane& cell = g.plane(g.cell("second", plane, 1));
    EXPECT_EQ(cell.type, ElementType::of(Dtype::uint32));
    EXPECT_EQ(cell.bytes, 4u);
    EXPECT_EQ(*reinterpret_cast<const std::uint32_t*>(cell.address), 5u);
    EXPECT_EQ(*reinterpret_cast<const std::uint32_t*>(g.plane(g.cell("first", plane, 0)).address), 7u);
}

TEST(Recording, orders_the_nodes_of_a_branch) {
    GraphDescription g;
    const auto x = g.scratch("x", {4}, Dtype::float64), y = g.scratch("y", {4}, Dtype::float64);
    const auto z = g.scratch("z", {4}, Dtype::float64);
    {
        auto fork = g.fork();
        {
            auto branch = fork.branch();
            g.fill(x, 1);
            auto inner = g.fork();
            {
                auto left = inner.branch();
                g.fill(y, 1);
            }
            {
                auto right = inner.branch();
                g.fill(z, 1);
            }
            g.fill(x, 2);
        }
    }
    EXPECT_EQ(g.nodes()[0].after, std::vector<std::uint32_t>{});
    EXPECT_EQ(g.nodes()[1].after, std::vector<std::uint32_t>{0});
    EXPECT_EQ(g.nodes()[2].after, std::vector<std::uint32_t>{0});
    EXPECT_EQ(g.nodes()[3].after, (std::vector<std::uint32_t>{1, 2}));
}

}  // namespace
