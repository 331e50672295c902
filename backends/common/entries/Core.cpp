// What every backend must answer.
#include <cstring>

#include "Entries.h"

using namespace eagle::engine;

namespace {

template <std::size_t N>
void copy_text(char (&to)[N], const char* from) {
    std::strncpy(to, from, N - 1);
    to[N - 1] = '\0';
}

}  // namespace

std::uint32_t eagle_backend_version(void) { return EAGLE_BACKEND_VERSION; }

const char* eagle_backend_last_error(void) { return eagle::host::last_error(); }

eagle_backend_status eagle_backend_build_info(struct eagle_backend_build_info* info) {
    return entry("eagle_backend_build_info", [&] {
        struct eagle_backend_build_info full{};
        full.abi_version = EAGLE_BACKEND_VERSION;
        copy_text(full.eagle_version, EAGLE_RELEASE);
        copy_text(full.archs, this_kind.archs);
        copy_text(full.backend_kind, this_kind.name);
        write_output(info, full, "info");
    });
}

eagle_backend_status eagle_backend_probe(void) {
    return entry("eagle_backend_probe", [] { require_usable_device(); });
}

void eagle_backend_free(void* p) {
    std::free(p);
    ok();
}

eagle_backend_status eagle_backend_capabilities(uint64_t* groups) {
    return entry("eagle_backend_capabilities", [&] {
        require_output(groups, "groups");
        *groups = groups_of_kind();
    });
}

eagle_backend_status eagle_backend_device_types(int32_t* types, int32_t cap, int32_t* count) {
    return entry("eagle_backend_device_types", [&] {
        require_output(count, "count");
        if (cap < 0)
            refuse("cap is " + std::to_string(cap) + "; it must be the number of elements of types, 0 or more");
        if (cap > 0) require_output(types, "types");
        const std::vector<std::int32_t> served = types_of_kind();
        for (std::size_t i = 0; i < served.size() && i < static_cast<std::size_t>(cap); ++i) types[i] = served[i];
        *count = static_cast<std::int32_t>(served.size());
    });
}
