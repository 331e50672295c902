// What a fuzzer of the readers calls with every input.
#pragma once
#include <string>
#include <string_view>

namespace fuzz {

// Reads the bytes as a manifest and as a sidecar. Each is taken, or refused by an InvalidArgument that names the
// document, in at most 4,096 bytes of valid UTF-8; anything else is told in `fault`. Returns what the refusals said,
// with values and names left out: equal for inputs that took the same way.
std::string read_both(std::string_view bytes, std::string& fault);

}  // namespace fuzz
