#include <eagle/marshal/NameText.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "Text.h"

namespace eagle::marshal {
namespace {

constexpr std::size_t most_slips = 2;

// The optimal string alignment distance; row i has the distances from the first i letters of `a`.
std::size_t slips_between(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t k = 0; k <= b.size(); ++k) {
            if (i == 0 || k == 0) {
                rows[i][k] = i + k;
                continue;
            }
            const std::size_t exchanged = rows[i - 1][k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1);
            rows[i][k] = std::min({rows[i - 1][k] + 1, rows[i][k - 1] + 1, exchanged});
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                rows[i][k] = std::min(rows[i][k], rows[i - 2][k - 2] + 1);
        }
    return rows[a.size()][b.size()];
}

}  // namespace

std::string shortened(std::string_view text) {
    if (text.size() <= 60) return std::string(text);
    std::size_t end = 57;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
    return std::string(text.substr(0, end)) + "...";
}

std::string nearest_name(std::string_view wanted, std::span<const std::string> names) {
    const std::string* nearest = nullptr;
    std::size_t fewest = std::min(most_slips, wanted.size() / 2) + 1;
    for (const std::string& name : names) {
        if (name == wanted) return {};
        // Each letter that one has more than the other is a slip; long texts are not compared in vain.
        if (std::max(name.size(), wanted.size()) - std::min(name.size(), wanted.size()) >= fewest) continue;
        const std::size_t slips = slips_between(wanted, name);
        if (slips >= fewest) continue;
        nearest = &name;
        fewest = slips;
    }
    return nearest != nullptr ? *nearest : std::string();
}

std::string nearest_text(std::string_view wanted, std::span<const std::string> names) {
    const std::string nearest = nearest_name(wanted, names);
    return nearest.empty() ? "" : "; the nearest name is '" + nearest + "'";
}

std::string unknown_argument_text(const Signature& signature, std::string_view name) {
    return "unknown argument '" + shortened(name) + "' for kernel '" + signature.kernel + "'; it takes " +
           arguments_text(signature) + nearest_text(name, argument_names(signature));
}

}  // namespace eagle::marshal
