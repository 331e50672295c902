// The search for the backend of a kind.
#pragma once
#include <eagle/Backend.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "backend/Entry.h"

namespace eagle::detail {

struct Found {
    const Backend::Entry* entry = nullptr;  // null when no source gave one
    std::vector<LoadAttempt> attempts;      // in the order of the sources, remembered ones included
};
// Walks the sources: $EAGLE_BACKEND_<KIND> (final), beside libeagle, registered paths, the resolver. `kind` is a kind's
// name. A file that is refused does not end the walk, save the variable's.
Found find_backend(const std::string& kind);
// What the resolver answers: a path, or nothing and why.
struct Resolved {
    std::optional<std::filesystem::path> path;
    std::string reason;
};
// Throws nothing of the resolver's: what it threw is the reason, so that a search goes on and its record is whole.
Resolved ask_resolver(const std::string& kind);
// Kinds of device_kinds.def, sorted.
std::vector<std::string> known_kinds();
// For a kind that is not installed: those that are, and the known or installed one whose name is one or two slips of a
// key away. Empty for an installed kind.
std::string other_kinds_text(const std::string& kind);
// Whether a DLPack device type is that of a GPU: not host memory (1), OpenCL (4), Vulkan (7) or an extension (12).
bool is_gpu_type(std::int32_t device_type);

}  // namespace eagle::detail
