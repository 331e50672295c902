#include "backend/KindName.h"

#include <eagle/Error.h>

#include <algorithm>
#include <vector>

namespace eagle::detail {
namespace {

constexpr std::size_t longest_kind = 15;
constexpr std::string_view file_prefix = "libeagle_";
constexpr std::string_view file_suffix = ".so";
constexpr std::string_view variable_prefix = "EAGLE_BACKEND_";

// The C locale's letters alone: a kind means the same under every locale.
bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
bool is_kind_character(char c) noexcept { return is_lower(c) || (c >= '0' && c <= '9') || c == '_'; }
char to_upper(char c) noexcept { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }
char to_lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool is_kind_name(std::string_view kind) noexcept {
    return !kind.empty() && kind.size() <= longest_kind && is_lower(kind.front()) &&
           std::all_of(kind.begin(), kind.end(), is_kind_character);
}

void require_kind_name(std::string_view kind) {
    if (is_kind_name(kind)) return;
    throw InvalidArgument("eagle: '" + std::string(kind) +
                          "' is no name of a backend kind; a kind matches [a-z][a-z0-9_]* and has at most " +
                          std::to_string(longest_kind) + " characters; name one such as 'cpu' or 'cuda'");
}

std::string backend_file_name(std::string_view kind) {
    return std::string(file_prefix).append(kind).append(file_suffix);
}

std::string backend_variable_name(std::string_view kind) {
    std::string name(variable_prefix);
    std::transform(kind.begin(), kind.end(), std::back_inserter(name), to_upper);
    return name;
}

std::string kind_of_file_name(std::string_view file_name) {
    if (!file_name.starts_with(file_prefix) || !file_name.ends_with(file_suffix)) return {};
    if (file_name.size() < file_prefix.size() + file_suffix.size()) return {};
    file_name.remove_prefix(file_prefix.size());
    file_name.remove_suffix(file_suffix.size());
    return is_kind_name(file_name) ? std::string(file_name) : std::string();
}

std::string kind_of_variable_name(std::string_view variable) {
    if (!variable.starts_with(variable_prefix)) return {};
    variable.remove_prefix(variable_prefix.size());
    std::string kind;
    std::transform(variable.begin(), variable.end(), std::back_inserter(kind), to_lower);
    return is_kind_name(kind) && backend_variable_name(kind).substr(variable_prefix.size()) == variable ? kind
                                                                                                        : std::string();
}

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

}  // namespace eagle::detail
