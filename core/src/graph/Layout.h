// Boxes in rows, edges from row to row downwards, no two things in one place.
#pragma once
#include <cstdint>
#include <vector>

namespace eagle::graph {

struct Point {
    double x = 0, y = 0;
};

struct LayoutBox {
    double width = 0, height = 0;
    double x = 0, y = 0;  // out: the upper left corner
};

struct LayoutEdge {
    std::uint32_t from = 0, to = 0;
    double label_width = 0;  // 0: no label
    // Out: where it leaves, the upper and lower end of every row that it passes, and where it arrives: straight inside
    // each pair, bent between the pairs.
    std::vector<Point> points;
    Point label;  // out: the middle of the label
};

struct Layout {
    static constexpr double gap = 18, row_gap = 14, label_height = 16;
    std::vector<LayoutBox> boxes;
    std::vector<LayoutEdge> edges;  // from < to
    double width = 0, height = 0;   // out

    void arrange();
};

}  // namespace eagle::graph
