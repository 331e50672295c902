#include <eagle/graph/Node.h>

#include <array>

namespace eagle::graph {

std::string_view mode_name(Mode mode) {
    constexpr std::array names{"", "reads", "writes", "reads and writes"};
    return names[static_cast<std::size_t>(mode)];
}

std::string_view fold_name(Fold fold) {
    constexpr std::array names{"sum", "max", "min", "all"};
    return names[static_cast<std::size_t>(fold)];
}

bool Node::conditional() const {
    return std::holds_alternative<If>(work) || std::holds_alternative<While>(work) ||
           std::holds_alternative<Switch>(work);
}

std::string_view Node::kind() const {
    constexpr std::array names{"copy",    "launch", "function", "fill", "host",  "reduce",
                               "compact", "child",  "opaque",   "if",   "while", "switch"};
    static_assert(names.size() == std::variant_size_v<Work>);
    if (const auto* loop = std::get_if<While>(&work); loop != nullptr && !loop->guard) return "repeat";
    return names[work.index()];
}

std::vector<std::uint32_t> Node::bodies() const {
    if (const auto* branch = std::get_if<If>(&work)) {
        std::vector<std::uint32_t> both;
        if (branch->then != none) both.push_back(branch->then);
        if (branch->otherwise != none) both.push_back(branch->otherwise);
        return both;
    }
    if (const auto* loop = std::get_if<While>(&work)) return {loop->body};
    if (const auto* arms = std::get_if<Switch>(&work)) {
        std::vector<std::uint32_t> recorded;
        for (std::uint32_t arm : arms->arms)
            if (arm != none) recorded.push_back(arm);
        return recorded;
    }
    return {};
}

}  // namespace eagle::graph
