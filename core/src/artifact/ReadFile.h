// A whole file in memory.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace eagle::artifact {

// Throws Error with the system's text when it cannot be read, InvalidArgument when it has more than `most` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t most);

}  // namespace eagle::artifact
