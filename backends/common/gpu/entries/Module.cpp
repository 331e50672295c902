// Device code that the caller loads.
#include <cstring>

#include "../Modules.h"
#include "Entries.h"

using namespace eagle::gpu;

namespace {

Module& of_number(std::uint64_t module) { return Objects<Module>::of_process().of(module); }

void require_name(const char* name) {
    if (!name || !*name) refuse("name is null or empty; pass the name of a symbol");
}

std::unique_ptr<Module> load(const struct eagle_backend_sdk_module_desc& d, int device) {
    if (d.image && d.path) refuse("desc->image and desc->path are both set; set one of them");
    if (!d.image && (!d.path || !*d.path)) refuse("desc->image and desc->path are both null; set one of them");
    if (d.image && d.image_bytes < 4) {
        refuse("desc->image_bytes is " + std::to_string(d.image_bytes) + "; it must be the size of the device code");
    }
    // Text ends with a zero byte, which the caller's image need not have.
    const std::string image =
        d.image ? std::string(static_cast<const char*>(d.image), d.image_bytes) : read_image(d.path);
    return std::make_unique<Module>(device, image.c_str());
}

}  // namespace

eagle_backend_status eagle_backend_sdk_module_load(const struct eagle_backend_sdk_module_desc* desc, uint64_t* module) {
    return entry(
        "eagle_backend_sdk_module_load",
        [&] {
            auto d = read_desc(desc, "desc");
            require_flags(d.flags, 0, "desc");
            require_usable();
            const int device = device_of(d.device);
            require_output(module, "module");
            if (d.reserved != 0) refuse("desc->reserved is " + std::to_string(d.reserved) + "; it must be 0");
            *module = Objects<Module>::of_process().add(load(d, device));
        },
        no_memory);
}

eagle_backend_status eagle_backend_sdk_module_function(uint64_t module, const char* name, uint64_t* function) {
    return entry(
        "eagle_backend_sdk_module_function",
        [&] {
            Module& of_handle = of_number(module);
            require_name(name);
            require_output(function, "function");
            *function = of_handle.function(name);
        },
        no_memory);
}

eagle_backend_status eagle_backend_sdk_module_global(uint64_t module, const char* name, uint64_t* address,
                                                     uint64_t* nbytes) {
    return entry(
        "eagle_backend_sdk_module_global",
        [&] {
            Module& of_handle = of_number(module);
            require_name(name);
            require_output(address, "address");
            require_output(nbytes, "nbytes");
            const Driver::Global global = of_handle.global(name);
            *address = global.address;
            *nbytes = global.bytes;
        },
        no_memory);
}

eagle_backend_status eagle_backend_sdk_module_unload(uint64_t module) {
    return entry("eagle_backend_sdk_module_unload", [&] {
        if (of_number(module).is_held()) {
            throw Failure(EAGLE_BACKEND_BAD_HANDLE,
                          "a graph that is alive launches a kernel of the module; release the graph and its launchers "
                          "first");
        }
        Objects<Module>::of_process().take(module);
    });
}
