#pragma once
#include <iosfwd>
#include <string>

namespace eagle::conformance {

// FIPS 180-4, as 64 hexadecimal digits.
std::string sha256(const std::string& bytes);
std::string sha256(std::istream& bytes);  // to its end, a part at a time

}  // namespace eagle::conformance
