// The words in a picture.
#pragma once
#include <eagle/GraphAnalysis.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace eagle::graph {

std::string detail_of(const GraphDescription& description, const Node& node);  // "x to y", "n != 0, at most 10 times"
// "x, y", "x, y and 3 more", "x and 4 more": as many names, of two at most, as `most` columns hold.
std::string edge_label(const GraphDescription& description, const Edge& edge, std::size_t most = 80);
std::string heading(const GraphDescription& description, const GraphAnalysis& analysis);

// Columns that the text takes in a monospaced font.
std::size_t columns(std::string_view utf8);
// At most `most` columns, the end replaced by an ellipsis where it is longer.
std::string shortened(std::string_view utf8, std::size_t most);

}  // namespace eagle::graph
