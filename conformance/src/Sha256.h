#pragma once
#include <string>

namespace eagle::conformance {

// FIPS 180-4, as 64 hexadecimal digits.
std::string sha256(const std::string& bytes);

}  // namespace eagle::conformance
