// What a Kernel holds.
#pragma once
#include <eagle/Kernel.h>

#include <filesystem>
#include <memory>
#include <string>

namespace eagle {

struct Kernel::State {
    Signature signature;
    std::string access, operation;
    std::filesystem::path folder;          // of its artifact
    std::shared_ptr<const Module> module;  // keeps the code loaded
    std::uint64_t step = 0, run = 0;
    Builder builder;  // for other kinds; may be empty
};

}  // namespace eagle
