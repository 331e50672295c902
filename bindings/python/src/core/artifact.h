// A kernel as Python holds it.
#pragma once
#include <eagle/Artifact.h>
#include <nanobind/nanobind.h>

#include <filesystem>
#include <string>
#include <vector>

namespace eagle::python {

// The kernel and the folder it came from, by which it is pickled.
struct HeldKernel {
    Kernel kernel;
    std::filesystem::path folder;
};

}  // namespace eagle::python
