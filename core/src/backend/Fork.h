// Forks of this process, counted.
#pragma once
#include <cstdint>

namespace eagle::detail {

// 0 in the process that loaded libeagle, one more in each child of a fork.
std::uint64_t fork_generation() noexcept;

}  // namespace eagle::detail
