// Where libeagle itself lies.
#pragma once
#include <filesystem>

namespace eagle::detail {

// Absolute, of the file that holds this code; empty when the system does not say. Found while the library loads.
const std::filesystem::path& own_file() noexcept;

}  // namespace eagle::detail
