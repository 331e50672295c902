// What the loader keeps of one loaded backend.
#pragma once
#include <eagle/Backend.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "backend/Table.h"

namespace eagle {

// Immutable once made, never destroyed: handles of every thread point at it until the process ends.
struct Backend::Entry {
    std::string kind;
    std::filesystem::path path;
    std::uint32_t version = 0;
    std::uint64_t capabilities = 0;
    std::vector<std::int32_t> device_types;
    BuildInfo build_info;
    seam::Table table;
    bool takes_host_files = false;
    bool host_only = false;        // serves DLPack type 1 and nothing else
    std::uint64_t generation = 0;  // of forks, when it was loaded
};

}  // namespace eagle
