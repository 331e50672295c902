#include "graph/Caption.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace eagle::graph {
namespace {

std::string count_text(std::uint64_t n, const char* one) { return std::to_string(n) + " " + one + (n == 1 ? "" : "s"); }

std::string name_of(const GraphDescription& d, PlaneRef plane) { return d.plane(plane).name; }

std::string number_text(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

std::string pattern_text(const Plane& plane, const std::vector<std::byte>& pattern) {
    const auto as = [&]<class T>(T value) {
        std::memcpy(&value, pattern.data(), sizeof value);
        return value;
    };
    if (pattern.size() == plane.item_bytes()) {
        if (plane.type == ElementType::of(Dtype::float64)) return number_text(as(double{}));
        if (plane.type == ElementType::of(Dtype::float32)) return number_text(as(float{}));
        if (plane.type == ElementType::of(Dtype::int64)) return std::to_string(as(std::int64_t{}));
        if (plane.type == ElementType::of(Dtype::int32)) return std::to_string(as(std::int32_t{}));
        if (plane.type == ElementType::of(Dtype::uint32)) return std::to_string(as(std::uint32_t{}));
        if (plane.type == ElementType::of(Dtype::boolean)) return as(std::uint8_t{}) != 0 ? "true" : "false";
    }
    std::string text = "0x";
    for (std::size_t i = pattern.size(); i-- > 0;) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(pattern[i]));
        text += digits;
    }
    return text;
}

std::string guard_text(const GraphDescription& d, const Guard& guard) {
    return name_of(d, guard.cell) + (guard.negate ? " == " : " != ") +
           (guard.baseline ? name_of(d, guard.baseline) : "0");
}

struct Detail {
    const GraphDescription& d;
    const Node& node;

    std::string operator()(const Copy& w) const { return name_of(d, w.from) + " to " + name_of(d, w.to); }
    std::string operator()(const Launch& w) const {
        const std::string& kernel = w.plan.kernel().name();
        return (kernel == node.name ? "" : kernel + ", ") + count_text(static_cast<std::uint64_t>(w.samples), "sample");
    }
    std::string operator()(const Function& w) const {
        return count_text(static_cast<std::uint64_t>(w.count), "sample");
    }
    std::string operator()(const Fill& w) const {
        return name_of(d, w.plane) + " = " + pattern_text(d.plane(w.plane), w.pattern);
    }
    std::string operator()(const HostCall&) const { return "host function"; }
    std::string operator()(const Reduce& w) const {
        const std::string what = std::string(fold_name(w.fold)) + " of " + name_of(d, w.from);
        const std::string into = name_of(d, w.into);
        return into == what ? what : into + " = " + what;
    }
    std::string operator()(const Compact& w) const {
        return name_of(d, w.map) + " = indices " + (w.drop ? "not in " : "in ") + name_of(d, w.mask);
    }
    std::string operator()(const Child& w) const {
        return "graph " + w.graph->name() + ", " + count_text(w.graph->nodes().size(), "node");
    }
    std::string operator()(const Opaque&) const { return "opaque stream work"; }
    std::string operator()(const If& w) const { return "if " + guard_text(d, w.guard); }
    std::string operator()(const While& w) const {
        std::string text = w.guard ? "while " + guard_text(d, *w.guard) : "";
        const auto also = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
        if (w.cap) also((w.guard || w.limit || w.stop ? "at most " : "") + count_text(*w.cap, "time"));
        if (w.limit) also("below " + name_of(d, w.limit));
        if (w.stop) also("until " + name_of(d, w.stop));
        return text;
    }
    std::string operator()(const Switch& w) const {
        return "by " + name_of(d, w.cell) + ", " + count_text(w.arms.size(), "arm");
    }
};

// Bytes of the character that begins with `first`; 1 for a byte that begins none.
std::size_t length_of(unsigned char first) { return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1; }

// Characters of three and four bytes are mostly those that are twice as wide.
std::size_t width_of(std::size_t length) { return length >= 3 ? 2 : 1; }

}  // namespace

std::string detail_of(const GraphDescription& description, const Node& node) {
    std::string text = std::visit(Detail{description, node}, node.work);
    if (node.strand != none) text += " [" + description.strands()[node.strand].label + "]";
    return text;
}

std::string edge_label(const GraphDescription& description, const Edge& edge, std::size_t most) {
    const auto names = planes_of(description, edge);
    for (std::size_t shown = std::min<std::size_t>(names.size(), 2); shown > 0; --shown) {
        const std::string more = shown == names.size() ? "" : " and " + std::to_string(names.size() - shown) + " more";
        std::string text;
        for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + names[i];
        if (columns(text + more) <= most) return text + more;
        if (shown == 1) return shortened(text, most - std::min(most / 2, columns(more))) + more;
    }
    return {};
}

std::string heading(const GraphDescription& description, const GraphAnalysis& analysis) {
    return description.name() + ": " + count_text(description.nodes().size(), "node") + ", " +
           count_text(analysis.edges.size(), "edge") + ", " +
           (analysis.device ? analysis.device->text() : "on any device");
}

std::size_t columns(std::string_view utf8) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < utf8.size();) {
        const std::size_t length = length_of(static_cast<unsigned char>(utf8[i]));
        n += width_of(length);
        i += length;
    }
    return n;
}

std::string shortened(std::string_view utf8, std::size_t most) {
    if (columns(utf8) <= most) return std::string(utf8);
    std::size_t n = 0, i = 0;
    while (i < utf8.size()) {
        const std::size_t length = length_of(static_cast<unsigned char>(utf8[i]));
        if (n + width_of(length) > most - 1 || i + length > utf8.size()) break;
        n += width_of(length);
        i += length;
    }
    return std::string(utf8.substr(0, i)) + "\u2026";
}

}  // namespace eagle::graph
