// JSON as the project accepts it: strict where nlohmann_json is tolerant.
#pragma once
#include <eagle/marshal/NameText.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace eagle::artifact {

inline constexpr std::size_t max_json_bytes = 64u << 20u;
inline constexpr int max_json_depth = 64;

// `name` is what errors call the document. Throws InvalidArgument for what is no JSON, and for JSON that another reader
// could understand otherwise: not UTF-8, a byte order mark, NaN or Infinity, a key that stands twice, a lone surrogate,
// an integer outside int64, a number that overflows, more than 64 levels, more than 64 MiB.
nlohmann::json parse_json(std::string_view text, const std::string& name);

using marshal::shortened;

// The value for an error message: its text, shortened, and its type.
std::string show(const nlohmann::json& value);

}  // namespace eagle::artifact
