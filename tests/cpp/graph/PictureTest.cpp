// Pictures of descriptions. With EAGLE_PICTURES naming a folder they are written there, to be looked at.
#include <eagle/GraphPicture.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>

#include "Generate.h"
#include "Handmade.h"
#include "Kernels.h"

using namespace eagle;
using namespace eagle::graph;

namespace {

void keep(const std::string& name, const GraphDescription& g) {
    const char* folder = std::getenv("EAGLE_PICTURES");
    if (folder == nullptr) return;
    const std::filesystem::path at(folder);
    std::ofstream(at / (name + ".svg")) << to_svg(g);
    std::ofstream(at / (name + ".dot")) << to_dot(g);
    std::ofstream(at / (name + ".mmd")) << to_mermaid(g);
    std::ofstream(at / (name + ".txt")) << to_text(g);
}

class Picture : public testing::Test {
  protected:
    PlaneRef line(const std::string& name) {
        memory_.push_back(std::make_unique<std::vector<double>>(8));
        return g.plane(name, handmade::view(*memory_.back()));
    }
    GraphDescription g{"heat", {"heat.py", 1}};

  private:
    std::vector<std::unique_ptr<std::vector<double>>> memory_;
};

TEST_F(Picture, of_a_chain) {
    const auto x = line("x"), y = line("y"), z = line("z");
    g.fill(x, 1.5);
    g.copy(y, x);
    g.copy(z, y);
    keep("chain", g);
    EXPECT_EQ(to_text(g),
              "heat: 3 nodes, 2 edges, host memory\n"
              "├─ fill    x = 1.5\n"
              "├─ copy    x to y   after fill (x)\n"
              "└─ copy 2  y to z   after copy (y)\n");
    EXPECT_EQ(to_mermaid(g),
              "flowchart TB\n"
              "  n0[\"fill<br/>x = 1.5\"]\n"
              "  n1[\"copy<br/>x to y\"]\n"
              "  n2[\"copy 2<br/>y to z\"]\n"
              "  n0 -->|\"x\"| n1\n"
              "  n1 -->|\"y\"| n2\n");
    const std::string dot = to_dot(g);
    EXPECT_NE(dot.find("n0 [label=\"fill\\nx = 1.5\", tooltip="), std::string::npos) << dot;
    EXPECT_NE(dot.find("n0 -> n1 [label=\"x\"];"), std::string::npos) << dot;
}

TEST_F(Picture, of_a_diamond) {
    const auto x = line("x"), y = line("y"), z = line("z"), sum = line("sum");
    g.fill(x, 1);
    g.copy(y, x, "left");
    g.copy(z, x, "right");
    graphtest::mix(g, sum, y, z, 0, "join");
    keep("diamond", g);
    const std::string svg = to_svg(g);
    EXPECT_EQ(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", 0), 0u);
    EXPECT_EQ(std::count(svg.begin(), svg.end(), '\n') > 10, true);
}

void nested(GraphDescription& g, PlaneRef x, PlaneRef y, PlaneRef z) {
    const auto residual = g.scratch("residual", {1}, Dtype::float64);
    const auto live = g.cell("live"), phase = g.cell("phase");
    g.fill(live, 1);
    g.fill(phase, 0);
    {
        auto loop = g.while_(live, {.cap = 1000, .name = "until still"});
        graphtest::mix(g, y, x, x, 0.5, "step");
        g.reduce(Fold::max, y, residual);
        auto arms = g.switch_(phase, 3, "phase of the run");
        {
            auto arm = arms.arm(0);
            graphtest::add(g, z, 1, "warm up");
            graphtest::add(g, x, 1, "heat");
        }
        {
            auto arm = arms.arm(1);
            auto branch = g.if_(loop.iteration(), {.name = "first?"});
            {
                auto then = branch.then();
                g.copy(x, y, "swap");
            }
            {
                auto otherwise = branch.otherwise();
                g.fill(z, 0, "clear");
            }
        }
        {
            auto arm = arms.arm(2);
            g.copy(z, y, "save");
        }
        graphtest::draw(g, live, residual, loop.iteration(), 2, "decide");
        graphtest::draw(g, phase, residual, live, 3, "choose");
    }
    g.host([] {}, {z}, {}, "print");
}

TEST_F(Picture, of_nested_bodies) {
    nested(g, line("x"), line("y"), line("z"));
    keep("nested", g);
    const std::string text = to_text(g);
    EXPECT_NE(text.find("├─ until still  while live != 0, at most 1000 times"), std::string::npos) << text;
    EXPECT_NE(text.find("│  └─ body:\n│     ├─ step"), std::string::npos) << text;
    EXPECT_NE(text.find("│     │  ├─ arm 1:\n│     │  │  └─ first?  if until still.iteration != 0\n"),
              std::string::npos)
        << text;
    EXPECT_NE(to_dot(g).find("ltail=cluster_n2"), std::string::npos);
    const std::string mermaid = to_mermaid(g);
    EXPECT_NE(
        mermaid.find(
            "  subgraph n2[\"until still<br/>while live != 0, at most 1000 times\"]\n    subgraph b1[\"body\"]\n"),
        std::string::npos)
        << mermaid;
}

TEST_F(Picture, of_forty_nodes) {
    std::vector<PlaneRef> lines;
    for (int i = 0; i < 8; ++i) lines.push_back(line("p" + std::to_string(i)));
    std::mt19937 random(5);
    for (int i = 0; i < 40; ++i)
        graphtest::mix(g, lines[random() % 8], lines[random() % 8], lines[random() % 8], 1, "mix " + std::to_string(i));
    keep("forty", g);
    EXPECT_EQ(g.nodes().size(), 40u);
}

TEST_F(Picture, escapes_names) {
    const auto odd = line("<x & \"y\">");
    const auto z = line("z|`#;\\");
    g.fill(odd, 1, "a<&\">b");
    g.copy(z, odd, "über");
    keep("escaped", g);
    const std::string svg = to_svg(g);
    EXPECT_NE(svg.find("a&lt;&amp;&quot;&gt;b"), std::string::npos);
    EXPECT_EQ(svg.find("a<&"), std::string::npos);
    EXPECT_EQ(svg.find("<x &"), std::string::npos);
    EXPECT_NE(to_dot(g).find("label=\"a<&\\\">b\\n<x & \\\"y\\\"> = 1\""), std::string::npos) << to_dot(g);
    EXPECT_NE(to_mermaid(g).find("[\"a#60;#38;#34;#62;b<br/>#60;x #38; #34;y#34;#62; = 1\"]"), std::string::npos)
        << to_mermaid(g);
    EXPECT_NE(to_mermaid(g).find("z|#96;#35;#59;#92;"), std::string::npos) << to_mermaid(g);
}

TEST_F(Picture, shortens_long_names) {
    const auto x = line(std::string(500, 'x'));
    g.fill(x, 1, std::string(300, 'n'));
    keep("long", g);
    EXPECT_NE(to_svg(g).find(std::string(33, 'n') + "…</text>"), std::string::npos);
}

// Boxes as they stand in the picture: of leaves, no two overlap.
struct Box {
    double x, y, w, h;
};
std::vector<Box> leaves(const std::string& svg) {
    const std::regex rect(
        "</title><rect x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\" rx=\"6\"");
    std::vector<Box> boxes;
    for (std::sregex_iterator at(svg.begin(), svg.end(), rect), end; at != end; ++at)
        boxes.push_back({std::stod((*at)[1]), std::stod((*at)[2]), std::stod((*at)[3]), std::stod((*at)[4])});
    return boxes;
}

TEST(Pictures, of_random_graphs_overlap_nothing) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const graphtest::Program program(seed, {});
        const GraphDescription& g = program.description();
        if (seed < 2) keep("random" + std::to_string(seed), g);
        const std::string svg = to_svg(g);
        const auto boxes = leaves(svg);
        ASSERT_EQ(boxes.size(), g.nodes().size());
        const auto inside = [](const Box& a, const Box& b) {
            return a.x >= b.x && a.y >= b.y && a.x + a.w <= b.x + b.w && a.y + a.h <= b.y + b.h;
        };
        for (std::size_t i = 0; i < boxes.size(); ++i)
            for (std::size_t j = i + 1; j < boxes.size(); ++j) {
                const Box &a = boxes[i], &b = boxes[j];
                const bool apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
                EXPECT_TRUE(apart || inside(a, b) || inside(b, a))
                    << "seed " << seed << ": boxes " << i << " and " << j;
            }
    }
}

}  // namespace
