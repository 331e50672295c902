#include "Kernels.h"

#include <array>
#include <map>

#include "Current.h"
#include "Objects.h"

namespace eagle::gpu {
namespace {

struct Name {
    const char* text;
    std::uint64_t group;  // that cannot be without it
};
constexpr Name names[] = {
#define EAGLE_KERNEL(name) {#name, EAGLE_BACKEND_CAP_FILTERING},
#define EAGLE_GUARD_KERNEL(name) {#name, EAGLE_BACKEND_CAP_CONDITIONAL},
#include "eagle_kernels.def"
};

using Functions = std::array<RawFunction, std::size(names)>;

Functions load(int device) {
    if (!this_kind.image()) {
        throw Failure(EAGLE_BACKEND_UNAVAILABLE,
                      std::string("this libeagle_") + this_kind.name +
                          " was built without a compiler for the device and carries no code of its own; build it where "
                          "one is");
    }
    const std::uint64_t groups = this_kind.capabilities();
    const Relaxed relaxed;
    const RawModule module = driver().load(this_kind.image());
    Functions functions{};
    for (std::size_t i = 0; i < functions.size(); ++i) {
        functions[i] = driver().function(module, names[i].text);
        if (functions[i] || !(groups & names[i].group)) continue;
        driver().unload(module);
        throw Failure(EAGLE_BACKEND_ERROR, "the backend's device code on device " + std::to_string(device) +
                                               " has no " + names[i].text + "; the file is damaged: install it again");
    }
    return functions;
}

const Functions& functions_of(int device) {
    static auto& loaded = *new std::map<int, Functions>;
    Lock lock(engine_lock());
    auto found = loaded.find(device);
    if (found == loaded.end()) found = loaded.emplace(device, load(device)).first;
    return found->second;
}

}  // namespace

void load_kernels(int device) { functions_of(device); }

RawFunction kernel(int device, KernelName name) { return functions_of(device)[static_cast<std::size_t>(name)]; }

}  // namespace eagle::gpu
