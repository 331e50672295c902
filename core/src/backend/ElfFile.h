// Is a file a whole shared library?
#pragma once
#include <filesystem>
#include <string>

namespace eagle::detail {

// What is wrong with the file as a shared library, in words that follow its path; empty when nothing is. The system's
// loader maps a file that was cut short without looking at its length, and the process then dies by SIGBUS: so the
// length is compared with what the file's own headers say before it is opened.
std::string fault_of_shared_library(const std::filesystem::path& file);

}  // namespace eagle::detail
