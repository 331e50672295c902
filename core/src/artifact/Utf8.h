// Is a text UTF-8?
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace eagle::artifact {

// Offset of the first byte that begins no well-formed character (overlong forms and surrogates are ill-formed), or
// nothing.
std::optional<std::size_t> invalid_utf8(std::string_view text);

}  // namespace eagle::artifact
