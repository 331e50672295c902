// What a Kernel holds.
#pragma once
#include <eagle/Kernel.h>

#include <filesystem>
#include <memory>
#include <string>

#include "artifact/KernelCode.h"

namespace eagle {

struct Kernel::State {
    Signature signature;
    std::string access, operation;
    std::filesystem::path folder;  // of its artifact
    std::shared_ptr<const artifact::KernelCode> code;
    Builder builder;  // for other kinds; may be empty
};

}  // namespace eagle
