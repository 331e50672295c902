// Where the file of a kind is looked for.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace eagle::detail {

using Resolver = std::function<std::optional<std::string>(const std::string& kind)>;

namespace source {
inline constexpr const char* argument = "argument";
inline constexpr const char* beside = "beside libeagle";
inline constexpr const char* registered = "registered path";
inline constexpr const char* resolver = "resolver";
std::string variable(const std::string& kind);  // "$EAGLE_BACKEND_CUDA"
}  // namespace source

// The value of $EAGLE_BACKEND_<KIND>; nothing when it is unset or empty.
std::optional<std::string> variable_value(const std::string& kind);
// The files beside libeagle that would be the backend of that kind, in order.
std::vector<std::filesystem::path> paths_beside(const std::string& kind);
// Kinds of the regular files beside libeagle, sorted.
std::vector<std::string> kinds_beside();
// Kinds whose variable names a regular file, sorted.
std::vector<std::string> kinds_by_variable();

}  // namespace eagle::detail
