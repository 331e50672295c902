// Files of an artifact folder, and a whole file in memory.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace eagle::artifact {

// Throws Error with the system's text when it cannot be read, InvalidArgument when it has more than `most` bytes.
std::string read_file(const std::filesystem::path& path, std::size_t most);

// The file of that name in an artifact folder. Throws InvalidArgument where it is a link that leads out of it.
std::filesystem::path file_of_folder(const std::filesystem::path& folder, const std::string& name);

}  // namespace eagle::artifact
