// Element types of eagle::Array::as(), one a case. Those that are not 0 must not compile.
#include <eagle/Array.h>

#include <cstddef>
#include <cstdint>

namespace {

#if CASE == 1  // the bytes of any array
using Element = std::byte;
#elif CASE == 2  // a 64-bit integer without a sign
using Element = std::uint64_t;
#elif CASE == 3  // another spelling of 64 bits with one, which is no int64_t of this platform
using Element = long long;
#elif CASE == 4  // two numbers in one
using Element = const float[2];
#else
using Element = const double;
#endif

[[maybe_unused]] auto elements(const eagle::Array& array) { return array.as<Element>(); }

}  // namespace
