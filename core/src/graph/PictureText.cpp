// Pictures that are text: a tree for a terminal, Graphviz, Mermaid.
#include <eagle/GraphPicture.h>

#include <algorithm>

#include "graph/Caption.h"

namespace eagle {

using namespace graph;

namespace {

class Tree {
  public:
    Tree(const GraphDescription& d, const GraphAnalysis& a) : d_(d), a_(a) {}

    std::string text() {
        out_ = heading(d_, a_) + "\n";
        nodes(0, "");
        return std::move(out_);
    }

  private:
    void nodes(std::uint32_t body, const std::string& indent) {
        const auto& of = d_.bodies()[body].nodes;
        std::size_t names = 0, details = 0;
        for (std::uint32_t n : of) {
            names = std::max(names, std::min<std::size_t>(columns(d_.nodes()[n].name), widest));
            details = std::max(details, std::min<std::size_t>(columns(detail_of(d_, d_.nodes()[n])), widest));
        }
        for (std::uint32_t n : of) {
            const bool last = n == of.back();
            const Node& node = d_.nodes()[n];
            std::string row = indent + (last ? "\u2514\u2500 " : "\u251c\u2500 ") + padded(node.name, names) + "  " +
                              padded(detail_of(d_, node), details);
            const std::string after = waits(n);
            if (!after.empty()) row += "  after " + after;
            while (row.back() == ' ') row.pop_back();
            out_ += row + "\n";
            const std::string deeper = indent + (last ? "   " : "\u2502  ");
            const auto bodies = node.bodies();
            for (std::uint32_t inner : bodies) {
                const bool end = inner == bodies.back();
                out_ += deeper + (end ? "\u2514\u2500 " : "\u251c\u2500 ") + d_.bodies()[inner].label + ":\n";
                nodes(inner, deeper + (end ? "   " : "\u2502  "));
            }
        }
    }

    std::string waits(std::uint32_t node) const {
        std::string text;
        for (const Edge& edge : a_.into(node)) {
            const std::string label = edge_label(d_, edge);
            text += (text.empty() ? "" : ", ") + d_.nodes()[edge.from].name + (label.empty() ? "" : " (" + label + ")");
        }
        return text;
    }

    // What is wider than its column stands out of it: a terminal wraps, and nothing is lost.
    static std::string padded(std::string text, std::size_t width) {
        text.append(width - std::min(width, columns(text)), ' ');
        return text;
    }

    static constexpr std::size_t widest = 40;  // of a column
    const GraphDescription& d_;
    const GraphAnalysis& a_;
    std::string out_;
};

std::string dot_text(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

// A line break inside a quoted label, which dot_text would have escaped.
std::string dot_label(const std::string& first, const std::string& second) {
    std::string out = dot_text(first);
    if (second.empty()) return out;
    out.pop_back();
    return out + "\\n" + dot_text(second).substr(1);
}

void dot_body(const GraphDescription& d, std::uint32_t body, const std::string& indent, std::string& out) {
    for (std::uint32_t n : d.bodies()[body].nodes) {
        const Node& node = d.nodes()[n];
        const std::string id = std::to_string(n), label = dot_label(node.name, detail_of(d, node));
        const std::string tip = ", tooltip=" + dot_text(node.where.text());
        if (!node.conditional()) {
            out += indent + "n" + id + " [label=" + label + tip + "];\n";
            continue;
        }
        out += indent + "subgraph cluster_n" + id + " {\n" + indent + "  style=rounded; label=\"\";\n" + indent +
               "  n" + id + " [style=\"rounded,filled\", fillcolor=\"#f6f1fb\", label=" + label + tip + "];\n";
        for (std::uint32_t inner : node.bodies()) {
            out += indent + "  subgraph cluster_b" + std::to_string(inner) + " {\n" + indent +
                   "    style=dashed; label=" + dot_text(d.bodies()[inner].label) + ";\n";
            dot_body(d, inner, indent + "    ", out);
            out += indent + "  }\n";
            out += indent + "  n" + id + " -> n" + std::to_string(d.bodies()[inner].nodes.front()) +
                   " [style=dotted, arrowhead=none];\n";
        }
        out += indent + "}\n";
    }
}

// An edge out of a conditional node leaves from the last of what is inside, so that it is drawn below it.
std::uint32_t end_of(const GraphDescription& d, std::uint32_t node) {
    while (d.nodes()[node].conditional()) node = d.bodies()[d.nodes()[node].bodies().back()].nodes.back();
    return node;
}

std::string mermaid_text(std::string_view text) {
    std::string out;
    for (char c : text) {
        const bool plain = std::string_view("\"#<>&`\\;").find(c) == std::string_view::npos;
        out += plain ? std::string(1, c) : "#" + std::to_string(static_cast<int>(c)) + ";";
    }
    return out;
}

void mermaid_body(const GraphDescription& d, std::uint32_t body, const std::string& indent, std::string& out) {
    for (std::uint32_t n : d.bodies()[body].nodes) {
        const Node& node = d.nodes()[n];
        const std::string detail = detail_of(d, node);
        const std::string label =
            "[\"" + mermaid_text(node.name) + (detail.empty() ? "" : "<br/>" + mermaid_text(detail)) + "\"]";
        if (!node.conditional()) {
            out += indent + "n" + std::to_string(n) + label + "\n";
            continue;
        }
        out += indent + "subgraph n" + std::to_string(n) + label + "\n";
        for (std::uint32_t inner : node.bodies()) {
            out += indent + "  subgraph b" + std::to_string(inner) + "[\"" + mermaid_text(d.bodies()[inner].label) +
                   "\"]\n";
            mermaid_body(d, inner, indent + "    ", out);
            out += indent + "  end\n";
        }
        out += indent + "end\n";
    }
}

}  // namespace

std::string to_text(const GraphDescription& description, const GraphAnalysis& analysis) {
    return Tree(description, analysis).text();
}

std::string to_dot(const GraphDescription& description, const GraphAnalysis& analysis) {
    std::string out = "digraph " + dot_text(description.name()) +
                      " {\n  compound=true; label=" + dot_text(heading(description, analysis)) +
                      ";\n  fontname=\"monospace\";\n"
                      "  node [shape=box, style=rounded, fontname=\"monospace\"];\n"
                      "  edge [fontname=\"monospace\", fontsize=10];\n";
    dot_body(description, 0, "  ", out);
    for (const Edge& edge : analysis.edges) {
        const auto end = [&](std::uint32_t node, const char* which) {
            if (!description.nodes()[node].conditional()) return std::string();
            return std::string(", ") + which + "=cluster_n" + std::to_string(node);
        };
        out += "  n" + std::to_string(end_of(description, edge.from)) + " -> n" + std::to_string(edge.to) +
               " [label=" + dot_text(edge_label(description, edge)) + end(edge.from, "ltail") + end(edge.to, "lhead") +
               "];\n";
    }
    return out + "}\n";
}

std::string to_mermaid(const GraphDescription& description, const GraphAnalysis& analysis) {
    std::string out = "flowchart TB\n";
    mermaid_body(description, 0, "  ", out);
    for (const Edge& edge : analysis.edges) {
        const std::string label = edge_label(description, edge);
        out += "  n" + std::to_string(edge.from) + " -->" + (label.empty() ? "" : "|\"" + mermaid_text(label) + "\"|") +
               " n" + std::to_string(edge.to) + "\n";
    }
    return out;
}

std::string to_text(const GraphDescription& description) { return to_text(description, analyze(description)); }
std::string to_dot(const GraphDescription& description) { return to_dot(description, analyze(description)); }
std::string to_mermaid(const GraphDescription& description) { return to_mermaid(description, analyze(description)); }
std::string to_svg(const GraphDescription& description) { return to_svg(description, analyze(description)); }

}  // namespace eagle
