#include "Library.h"

#include <dlfcn.h>
#include <eagle/seam/eagle_backend.h>
#include <elf.h>
#include <link.h>

#include <cstdlib>

#include "../common/gpu/DriverFile.h"

namespace eagle::hip {
namespace {

constexpr std::uint64_t NONE = 0, STREAM = EAGLE_BACKEND_CAP_STREAM, CAPTURER = EAGLE_BACKEND_CAP_CAPTURER,
                        CAPTURED = EAGLE_BACKEND_CAP_CAPTURED, FORK = EAGLE_BACKEND_CAP_FORK,
                        ATTRIBUTION = EAGLE_BACKEND_CAP_ATTRIBUTION, GRAPH = EAGLE_BACKEND_CAP_GRAPH,
                        LAUNCHER = EAGLE_BACKEND_CAP_LAUNCHER, EXEC = EAGLE_BACKEND_CAP_EXEC,
                        DEVICE = EAGLE_BACKEND_CAP_DEVICE, INTEROP = EAGLE_BACKEND_CAP_INTEROP,
                        FILTERING = EAGLE_BACKEND_CAP_FILTERING;
// No runtime up to HIP 7.15 has conditional nodes.
constexpr std::uint64_t EVERY =
    STREAM | CAPTURER | CAPTURED | FORK | ATTRIBUTION | GRAPH | LAUNCHER | EXEC | DEVICE | INTEROP | FILTERING;

constexpr const char* variable = "EAGLE_HIP_DRIVER";
constexpr const char* advice = "; install ROCm 6 or newer, which brings libamdhip64.so.6 or .so.7";
constexpr const char* names[] = {"libamdhip64.so.7", "libamdhip64.so.6"};
constexpr const char* older = "libamdhip64.so.5";
constexpr int oldest_version = 6, newest_version = 7;

// The name that the file gives itself, such as libamdhip64.so.7.
std::string own_name(void* handle) {
    link_map* map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return "";
    const char* strings = nullptr;
    const ElfW(Dyn)* name = nullptr;
    for (const ElfW(Dyn)* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
        if (entry->d_tag == DT_SONAME) name = entry;
    }
    return strings && name ? strings + name->d_un.d_val : "";
}

// 7 of libamdhip64.so.7; 0 where the file is none of HIP's.
int version_of(const std::string& name) {
    const std::string stem = "libamdhip64.so.";
    return name.rfind(stem, 0) == 0 ? std::atoi(name.c_str() + stem.size()) : 0;
}

std::string refusal(const Library& library, const std::string& name) {
    if (library.version == 0) {
        return library.file + " is no runtime of HIP: it calls itself '" + name + "' and not libamdhip64.so.<version>" +
               advice + gpu::or_unset(variable);
    }
    const std::string which = library.file + " is of HIP " + std::to_string(library.version);
    if (library.version < oldest_version) {
        return which +
               ", which numbers the nodes of graphs and the types of memory otherwise than HIP 6 does, so that " +
               "it would be misread" + advice + gpu::or_unset(variable);
    }
    if (library.version > newest_version) {
        return which +
               ", whose interface this build does not know; it knows HIP 6 and 7: build libeagle_hip anew from "
               "an eagle that knows it, or name another library by $EAGLE_HIP_DRIVER";
    }
    return "";
}

void* open_file(Library& library) {
    const char* named = gpu::named_by(variable);
    std::string first_error;
    auto attempt = [&](const char* file) {
        library.file = file;
        const gpu::DriverFile opened = gpu::open_driver_file(file);
        if (first_error.empty()) first_error = opened.error;
        return opened.handle;
    };
    if (named) {
        if (void* handle = attempt(named)) return handle;
    } else {
        for (const char* name : names) {
            if (void* handle = attempt(name)) return handle;
        }
        if (void* handle = attempt(older)) return handle;
    }
    library.error = first_error + advice + gpu::or_unset(variable);
    return nullptr;
}

Library open() {
    Library library;
    void* handle = open_file(library);
    if (!handle) return library;
    const std::string name = own_name(handle);
    library.version = version_of(name);
    library.error = refusal(library, name);
    if (!library.error.empty()) return library;
    Functions& f = library.functions;
#define HIP_ENTRY(returns, entry, groups, parameters) \
    f.entry = reinterpret_cast<abi::Entry_##entry>(dlsym(handle, #entry));
#include "runtime_entries.def"
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
#define HIP_ENTRY(returns, name, groups, parameters) \
    if (!functions.name) bits &= ~(groups);
#include "runtime_entries.def"
    return bits;
}

}  // namespace eagle::hip
