// A description as a picture: for a terminal, for Graphviz, for Mermaid, and as SVG that no other program has to lay
// out. Bodies stand inside their node; an edge says which planes ask for it. All text is UTF-8, and names are escaped
// as each format needs it.
#pragma once
#include <eagle/GraphAnalysis.h>
#include <eagle/export.h>

#include <string>

namespace eagle {

// `analysis` is that of the description. Without one it is derived, and throws what analyze() throws.
EAGLE_API std::string to_text(const GraphDescription& description, const GraphAnalysis& analysis);
EAGLE_API std::string to_dot(const GraphDescription& description, const GraphAnalysis& analysis);
EAGLE_API std::string to_mermaid(const GraphDescription& description, const GraphAnalysis& analysis);
// A whole <svg> element with a size in pixels and a white ground, for a file or a notebook.
EAGLE_API std::string to_svg(const GraphDescription& description, const GraphAnalysis& analysis);
EAGLE_API std::string to_text(const GraphDescription& description);
EAGLE_API std::string to_dot(const GraphDescription& description);
EAGLE_API std::string to_mermaid(const GraphDescription& description);
EAGLE_API std::string to_svg(const GraphDescription& description);

}  // namespace eagle
