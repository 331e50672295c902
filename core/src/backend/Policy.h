// Numbers of the rules in seam/POLICIES.md that the loader can see broken.
#pragma once

namespace eagle::detail::policy {

inline constexpr int no_exceptions = 3;
inline constexpr int promised_symbols = 8;
inline constexpr int required_symbols = 9;
inline constexpr int own_symbols = 15;  // no symbol of it lies in another library
inline constexpr int true_answers = 16;

}  // namespace eagle::detail::policy
