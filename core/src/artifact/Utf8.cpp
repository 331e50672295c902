#include "artifact/Utf8.h"

namespace eagle::artifact {
namespace {

// Length of the well-formed character at `p`, or 0. `left` bytes can be read.
std::size_t character(const unsigned char* p, std::size_t left) {
    const unsigned char lead = p[0];
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || length > left) return 0;
    // The second byte alone tells overlong forms, surrogates and what lies past U+10FFFF.
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < low || p[1] > high) return 0;
    for (std::size_t k = 2; k < length; ++k)
        if ((p[k] & 0xC0u) != 0x80u) return 0;
    return length;
}

}  // namespace

std::optional<std::size_t> invalid_utf8(std::string_view text) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character(bytes + i, text.size() - i);
        if (length == 0) return i;
        i += length;
    }
    return std::nullopt;
}

}  // namespace eagle::artifact
