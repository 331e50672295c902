#include <eagle/conformance/Symbol.h>
#include <eagle/seam/eagle_backend.h>

#include <array>
#include <utility>

namespace eagle::conformance {
namespace {

struct Line {
    std::string_view group, name;
    std::uint32_t since;
};

// clang-format off
constexpr std::array<Line, symbol_count> lines{{
#define EAGLE_SYMBOL(group, name, since, bound) {#group, #name, since},
#include <eagle/seam/symbols.def>
}};
// clang-format on

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 14> bits{{
    {"stream", EAGLE_BACKEND_CAP_STREAM},
    {"capturer", EAGLE_BACKEND_CAP_CAPTURER},
    {"captured", EAGLE_BACKEND_CAP_CAPTURED},
    {"fork", EAGLE_BACKEND_CAP_FORK},
    {"conditional", EAGLE_BACKEND_CAP_CONDITIONAL},
    {"attribution", EAGLE_BACKEND_CAP_ATTRIBUTION},
    {"graph", EAGLE_BACKEND_CAP_GRAPH},
    {"launcher", EAGLE_BACKEND_CAP_LAUNCHER},
    {"exec", EAGLE_BACKEND_CAP_EXEC},
    {"device", EAGLE_BACKEND_CAP_DEVICE},
    {"interop", EAGLE_BACKEND_CAP_INTEROP},
    {"filtering", EAGLE_BACKEND_CAP_FILTERING},
    {"conditional_if_else", EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE},
    {"conditional_switch", EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH},
}};

const Line& line_of(Symbol symbol) { return lines[static_cast<std::size_t>(symbol)]; }

}  // namespace

std::string_view name_of(Symbol symbol) { return line_of(symbol).name; }
std::string_view group_of(Symbol symbol) { return line_of(symbol).group; }
std::uint32_t minor_of(Symbol symbol) { return line_of(symbol).since; }

std::uint64_t bit_of(Symbol symbol) {
    for (const auto& [name, bit] : bits) {
        if (name == group_of(symbol)) return bit;
    }
    return 0;
}

std::string name_of_bit(std::uint64_t bit) {
    for (const auto& [name, known] : bits) {
        if (known == bit) return std::string(name);
    }
    int number = 0;
    while (number < 63 && (bit >> number & 1) == 0) ++number;
    return "bit " + std::to_string(number);
}

}  // namespace eagle::conformance
