// Names of kinds, and the names derived from them.
#pragma once
#include <string>
#include <string_view>

namespace eagle::detail {

// `[a-z][a-z0-9_]*`, at most 15 characters: build_info carries the kind in 16 bytes, NUL included.
bool is_kind_name(std::string_view kind) noexcept;
// Throws InvalidArgument. Called before any path is built from a name, so that no name can reach outside its folder.
void require_kind_name(std::string_view kind);

std::string backend_file_name(std::string_view kind);      // "libeagle_cuda.so"
std::string backend_variable_name(std::string_view kind);  // "EAGLE_BACKEND_CUDA"
// The kind that a file name or a variable name stands for; empty when it stands for none.
std::string kind_of_file_name(std::string_view file_name);
std::string kind_of_variable_name(std::string_view variable);

}  // namespace eagle::detail
