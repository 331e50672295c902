// Device code: shared objects.
#include "../Check.h"
#include "../Kind.h"
#include "../Modules.h"

using namespace eagle::host;

namespace {

void require_name(const char* name) {
    if (!name || !*name) refuse("name is null or empty; pass the name of a symbol");
}

}  // namespace

eagle_backend_status eagle_backend_sdk_module_load(const struct eagle_backend_sdk_module_desc* desc, uint64_t* module) {
    return entry(
        "eagle_backend_sdk_module_load",
        [&] {
            auto d = read_desc(desc, "desc");
            require_flags(d.flags, 0, "desc");
            require_usable();
            require_device(d.device);
            require_output(module, "module");
            if (d.reserved != 0) refuse("desc->reserved is " + std::to_string(d.reserved) + "; it must be 0");
            const std::string kind = std::string("kind ") + this_kind.name;
            if (d.image && d.path) refuse(kind + " takes the path alone; desc->image and desc->path are both set");
            if (d.image) {
                throw Failure(
                    EAGLE_BACKEND_UNSUPPORTED,
                    "desc->image: " + kind + " loads a shared object from a file, not from memory; set desc->path");
            }
            if (!d.path || !*d.path) refuse("desc->path is null or empty; it must be the path of a shared object");
            *module = Modules::of_process().load(d.path);
        },
        EAGLE_BACKEND_SDK_OUT_OF_MEMORY);
}

eagle_backend_status eagle_backend_sdk_module_function(uint64_t module, const char* name, uint64_t* function) {
    return entry(
        "eagle_backend_sdk_module_function",
        [&] {
            Modules& modules = Modules::of_process();
            modules.require_alive(module);
            require_name(name);
            require_output(function, "function");
            *function = modules.function(module, name);
        },
        EAGLE_BACKEND_SDK_OUT_OF_MEMORY);
}

eagle_backend_status eagle_backend_sdk_module_global(uint64_t module, const char* name, uint64_t* address,
                                                     uint64_t* nbytes) {
    return entry(
        "eagle_backend_sdk_module_global",
        [&] {
            Modules& modules = Modules::of_process();
            modules.require_alive(module);
            require_name(name);
            require_output(address, "address");
            require_output(nbytes, "nbytes");
            auto global = modules.global(module, name);
            *address = global.address;
            *nbytes = global.bytes;
        },
        EAGLE_BACKEND_SDK_OUT_OF_MEMORY);
}

eagle_backend_status eagle_backend_sdk_module_unload(uint64_t module) {
    return entry("eagle_backend_sdk_module_unload", [&] { Modules::of_process().unload(module); });
}
