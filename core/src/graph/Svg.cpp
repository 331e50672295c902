#include <eagle/GraphPicture.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <unordered_map>
#include <utility>

#include "graph/Caption.h"
#include "graph/Layout.h"
#include "graph/Text.h"

namespace eagle {

using namespace graph;

namespace {

constexpr double letter = 7.4, small_letter = 6.3;  // a column of 12 and of 10 pixels, with room to spare
constexpr double padding = 12, leaf_height = 40, head_height = 38, tab_height = 20;
constexpr std::size_t most_columns = 34, most_detail = 56, most_label = 22;

struct Colours {
    const char *fill, *line;
};

Colours colours_of(const Node& node) {
    const std::string_view kind = node.kind();
    if (node.conditional()) return {"#f6f1fb", "#7a4fb0"};
    if (kind == "copy") return {"#eaf4ec", "#3b8450"};
    if (kind == "host" || kind == "opaque") return {"#fdf3e3", "#b87a1b"};
    if (kind == "fill" || kind == "reduce" || kind == "compact") return {"#f1f3f5", "#667079"};
    return {"#e8f0fb", "#2f66b1"};
}

std::string escaped(std::string_view text) {
    std::string out;
    for (char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string px(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

// A body laid out, and its nodes with what is inside them.
struct Drawn {
    Layout layout;
    std::vector<std::uint32_t> nodes;             // by box
    std::vector<const Edge*> edges;               // by edge of the layout
    std::vector<std::vector<Drawn>> inside;       // by box, by body
    std::vector<std::vector<std::string>> names;  // of those bodies
};

class Picture {
  public:
    Picture(const GraphDescription& d, const GraphAnalysis& a) : d_(d), a_(a) {}

    std::string svg() {
        const Drawn all = lay_out(0);
        const std::string head = heading(d_, a_);
        const double width = std::max(all.layout.width, static_cast<double>(columns(head)) * letter) + 2 * padding;
        const double height = all.layout.height + head_height + 2 * padding;
        out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + px(width) + "\" height=\"" + px(height) +
               "\" viewBox=\"0 0 " + px(width) + " " + px(height) +
               "\" font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"12\">\n"
               "<defs><marker id=\"eagle-arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
               "markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#555\"/></marker></defs>\n"
               "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
        text(padding, padding + 14, head, "#222", "", true);
        draw(all, (width - all.layout.width) / 2, head_height + padding);
        return out_ + "</svg>\n";
    }

  private:
    Drawn lay_out(std::uint32_t body) const {
        Drawn drawn;
        std::unordered_map<std::uint32_t, std::uint32_t> box_of;
        for (std::uint32_t n : d_.bodies()[body].nodes) {
            box_of.emplace(n, static_cast<std::uint32_t>(drawn.nodes.size()));
            drawn.nodes.push_back(n);
            drawn.inside.emplace_back();
            drawn.names.emplace_back();
            drawn.layout.boxes.push_back(size_of(n, drawn.inside.back(), drawn.names.back()));
        }
        for (std::uint32_t n : drawn.nodes)
            for (const Edge& edge : a_.into(n)) {
                const std::string label = edge_label(d_, edge, most_label);
                drawn.edges.push_back(&edge);
                drawn.layout.edges.push_back(
                    {box_of.at(edge.from),
                     box_of.at(edge.to),
                     label.empty() ? 0 : static_cast<double>(columns(label)) * small_letter + 6,
                     {},
                     {}});
            }
        drawn.layout.arrange();
        return drawn;
    }

    LayoutBox size_of(std::uint32_t n, std::vector<Drawn>& inside, std::vector<std::string>& names) const {
        const Node& node = d_.nodes()[n];
        const std::size_t widest =
            std::max(columns(shortened(node.name, most_columns)), columns(shortened(detail_of(d_, node), most_detail)));
        LayoutBox box{static_cast<double>(widest) * letter + 2 * padding, leaf_height, 0, 0};
        if (!node.conditional()) return box;
        double width = padding, height = 0;
        for (std::uint32_t body : node.bodies()) {
            inside.push_back(lay_out(body));
            names.push_back(d_.bodies()[body].label);
            width += frame_width(inside.back(), names.back()) + padding;
            height = std::max(height, inside.back().layout.height);
        }
        return {std::max(box.width, width), head_height + tab_height + height + 3 * padding, 0, 0};
    }

    static double frame_width(const Drawn& body, const std::string& name) {
        return std::max(body.layout.width, static_cast<double>(columns(name)) * small_letter) + 2 * padding;
    }

    void draw(const Drawn& drawn, double x, double y) {
        for (std::size_t e = 0; e < drawn.edges.size(); ++e) path(drawn.layout.edges[e], *drawn.edges[e], x, y);
        for (std::size_t b = 0; b < drawn.nodes.size(); ++b) {
            const LayoutBox& box = drawn.layout.boxes[b];
            node(drawn.nodes[b], box, x + box.x, y + box.y);
            double at = x + box.x + padding;
            double room = box.width - padding;
            for (std::size_t i = 0; i < drawn.inside[b].size(); ++i)
                room -= frame_width(drawn.inside[b][i], drawn.names[b][i]) + padding;
            at += room / 2;
            for (std::size_t i = 0; i < drawn.inside[b].size(); ++i) {
                const double width = frame_width(drawn.inside[b][i], drawn.names[b][i]);
                frame(drawn.inside[b][i], drawn.names[b][i], at, y + box.y + head_height, width,
                      box.height - head_height - padding);
                at += width + padding;
            }
        }
        // Labels last, so that no line runs through one.
        for (std::size_t e = 0; e < drawn.edges.size(); ++e) label(drawn.layout.edges[e], *drawn.edges[e], x, y);
    }

    void node(std::uint32_t n, const LayoutBox& box, double x, double y) {
        const Node& of = d_.nodes()[n];
        const auto [fill, line] = colours_of(of);
        out_ += "<g><title>" + escaped(title(of)) + "</title><rect x=\"" + px(x) + "\" y=\"" + px(y) + "\" width=\"" +
                px(box.width) + "\" height=\"" + px(box.height) + "\" rx=\"6\" fill=\"" + fill + "\" stroke=\"" + line +
                "\"/>\n";
        const double middle = x + box.width / 2;
        const std::size_t most = std::max(most_columns, static_cast<std::size_t>((box.width - 2 * padding) / letter));
        text(middle, y + 16, shortened(of.name, most), "#111", "middle", true);
        text(middle, y + 31, shortened(detail_of(d_, of), std::max(most, most_detail)), "#444", "middle", false);
        out_ += "</g>\n";
    }

    void frame(const Drawn& body, const std::string& name, double x, double y, double width, double height) {
        out_ += "<rect x=\"" + px(x) + "\" y=\"" + px(y) + "\" width=\"" + px(width) + "\" height=\"" + px(height) +
                "\" rx=\"4\" fill=\"#ffffff\" stroke=\"#b9a5d2\" stroke-dasharray=\"4 3\"/>\n";
        out_ += "<text x=\"" + px(x + padding) + "\" y=\"" + px(y + 14) + "\" font-size=\"10\" fill=\"#7a4fb0\">" +
                escaped(name) + "</text>\n";
        draw(body, x + (width - body.layout.width) / 2, y + tab_height + padding / 2);
    }

    void path(const LayoutEdge& edge, const Edge& of, double x, double y) {
        const auto& p = edge.points;
        std::string d = "M" + px(x + p[0].x) + "," + px(y + p[0].y) + " L" + px(x + p[1].x) + "," + px(y + p[1].y);
        for (std::size_t i = 2; i < p.size(); ++i) {
            if (i % 2 == 1) {
                d += " L" + px(x + p[i].x) + "," + px(y + p[i].y);
                continue;
            }
            const double half = (p[i - 1].y + p[i].y) / 2 + y;
            d += " C" + px(x + p[i - 1].x) + "," + px(half) + " " + px(x + p[i].x) + "," + px(half) + " " +
                 px(x + p[i].x) + "," + px(y + p[i].y);
        }
        out_ += "<path d=\"" + d + "\" fill=\"none\" stroke=\"#555\"" +
                (of.hazard == Hazard::read_after_write ? "" : " stroke-dasharray=\"5 3\"") +
                " marker-end=\"url(#eagle-arrow)\"/>\n";
    }

    void label(const LayoutEdge& edge, const Edge& of, double x, double y) {
        const std::string words = edge_label(d_, of, most_label);
        if (words.empty()) return;
        out_ += "<g><title>" + escaped(std::string(hazard_name(of.hazard)) + ": " + edge_label(d_, of)) +
                "</title><rect x=\"" + px(x + edge.label.x - edge.label_width / 2) + "\" y=\"" +
                px(y + edge.label.y - Layout::label_height / 2) + "\" width=\"" + px(edge.label_width) +
                "\" height=\"" + px(Layout::label_height) + "\" fill=\"#ffffff\"/><text x=\"" + px(x + edge.label.x) +
                "\" y=\"" + px(y + edge.label.y + 4) + "\" font-size=\"10\" fill=\"#555\" text-anchor=\"middle\">" +
                escaped(words) + "</text></g>\n";
    }

    std::string title(const Node& node) const {
        std::string text = node.name + " (" + std::string(node.kind()) + "), " + node.where.text();
        for (const Access& access : node.accesses)
            text += "\n" + std::string(mode_name(access.mode)) + " " + plane_text(d_.planes()[access.plane]);
        return text;
    }

    void text(double x, double y, const std::string& words, const char* colour, const char* anchor, bool bold) {
        out_ += "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" fill=\"" + colour + "\"" +
                (*anchor != 0 ? " text-anchor=\"" + std::string(anchor) + "\"" : "") +
                (bold ? " font-weight=\"bold\"" : "") + ">" + escaped(words) + "</text>\n";
    }

    const GraphDescription& d_;
    const GraphAnalysis& a_;
    std::string out_;
};

}  // namespace

std::string to_svg(const GraphDescription& description, const GraphAnalysis& analysis) {
    return Picture(description, analysis).svg();
}

}  // namespace eagle
