// What refusals have in common.
#pragma once
#include <eagle/conformance/Context.h>

#include <cstdio>
#include <string>

namespace eagle::conformance {

// The last error names these bits, in hexadecimal or decimal.
inline void expect_bits_named(Context& c, std::uint32_t bits) {
    char hexadecimal[16];
    std::snprintf(hexadecimal, sizeof hexadecimal, "%x", static_cast<unsigned>(bits));
    const std::string text = c.seam.last_error();
    const bool named =
        text.find(hexadecimal) != std::string::npos || text.find(std::to_string(bits)) != std::string::npos;
    if (!named)
        c.fail(__FILE__, __LINE__, "'" + text + "' does not name the unknown bits 0x" + hexadecimal + " (EBP-10)");
}

inline void expect_words(Context& c, const std::string& words) {
    const std::string text = c.seam.last_error();
    if (text.find(words) == std::string::npos) c.fail(__FILE__, __LINE__, "'" + text + "' does not name " + words);
}

}  // namespace eagle::conformance
