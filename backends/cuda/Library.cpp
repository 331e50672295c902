#include "Library.h"

#include <dlfcn.h>
#include <eagle/seam/eagle_backend.h>

#include <string>

#include "../common/gpu/DriverFile.h"

namespace eagle::cuda {
namespace {

constexpr std::uint64_t NONE = 0, STREAM = EAGLE_BACKEND_CAP_STREAM, CAPTURER = EAGLE_BACKEND_CAP_CAPTURER,
                        CAPTURED = EAGLE_BACKEND_CAP_CAPTURED, FORK = EAGLE_BACKEND_CAP_FORK,
                        CONDITIONAL = EAGLE_BACKEND_CAP_CONDITIONAL, ATTRIBUTION = EAGLE_BACKEND_CAP_ATTRIBUTION,
                        GRAPH = EAGLE_BACKEND_CAP_GRAPH, LAUNCHER = EAGLE_BACKEND_CAP_LAUNCHER,
                        EXEC = EAGLE_BACKEND_CAP_EXEC, DEVICE = EAGLE_BACKEND_CAP_DEVICE,
                        INTEROP = EAGLE_BACKEND_CAP_INTEROP, FILTERING = EAGLE_BACKEND_CAP_FILTERING;
constexpr std::uint64_t EVERY = STREAM | CAPTURER | CAPTURED | FORK | CONDITIONAL | ATTRIBUTION | GRAPH | LAUNCHER |
                                EXEC | DEVICE | INTEROP | FILTERING;
constexpr std::uint64_t options = EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE | EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH;

constexpr const char* variable = "EAGLE_CUDA_DRIVER";

// NVIDIA's release notes: nodes that decide came with 12.4, else and switch with 12.8.
constexpr int with_conditionals = 12040, with_else_and_switch = 12080;

Library open() {
    Library library;
    const char* named = gpu::named_by(variable);
    library.file = named ? named : "libcuda.so.1";
    const gpu::DriverFile opened = gpu::open_driver_file(library.file);
    if (!opened.handle) {
        library.error = opened.error + "; install NVIDIA's driver, 580 or newer, which brings libcuda.so.1" +
                        gpu::or_unset(variable);
        return library;
    }
    auto find = reinterpret_cast<PFN_cuGetProcAddress_v12000>(dlsym(opened.handle, "cuGetProcAddress_v2"));
    if (!find) {
        library.error = library.file +
                        " has no cuGetProcAddress_v2, which came with CUDA 12.0; install NVIDIA's driver "
                        "580 or newer" +
                        gpu::or_unset(variable);
        return library;
    }
    Functions& f = library.functions;
#define CUDA_ENTRY(name, version, groups) \
    find(#name, reinterpret_cast<void**>(&f.name), version, CU_GET_PROC_ADDRESS_DEFAULT, nullptr);
#include "driver_entries.def"
    if (!f.cuDriverGetVersion || f.cuDriverGetVersion(&library.version) != CUDA_SUCCESS) {
        library.error = library.file + " does not tell its version; install NVIDIA's driver, 580 or newer" +
                        gpu::or_unset(variable);
    }
    return library;
}

}  // namespace

const Library& Library::of_process() {
    static const Library& opened = *new Library(open());
    return opened;
}

std::uint64_t Library::capabilities() const {
    if (!error.empty()) return EVERY;
    std::uint64_t bits = EVERY;
#define CUDA_ENTRY(name, since, groups) \
    if (!functions.name) bits &= ~(groups);
#include "driver_entries.def"
    if (version < with_conditionals) bits &= ~CONDITIONAL;
    if ((bits & CONDITIONAL) && version >= with_else_and_switch) bits |= options;
    return bits;
}

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace eagle::cuda
