#include "backend/KindName.h"

#include <eagle/Error.h>
#include <eagle/marshal/NameText.h>

#include <algorithm>

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
    throw InvalidArgument("eagle: '" + marshal::shortened(kind) +
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

}  // namespace eagle::detail
