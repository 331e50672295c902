// What every backend must answer.
#include <cstdlib>
#include <cstring>

#include "../Check.h"
#include "../Kind.h"
#include "../LastError.h"

using namespace eagle::host;

namespace {

template <std::size_t N>
void copy_text(char (&to)[N], const char* from) {
    std::strncpy(to, from, N - 1);
    to[N - 1] = '\0';
}

}  // namespace

std::uint32_t eagle_backend_version(void) { return EAGLE_BACKEND_VERSION; }

const char* eagle_backend_last_error(void) { return last_error(); }

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
    return entry("eagle_backend_probe", [] { require_usable(); });
}

void eagle_backend_free(void* p) {
    std::free(p);
    ok();
}

eagle_backend_status eagle_backend_capabilities(uint64_t* groups) {
    return entry("eagle_backend_capabilities", [&] {
        require_output(groups, "groups");
        *groups = EAGLE_BACKEND_CAP_STREAM | EAGLE_BACKEND_CAP_CAPTURER | EAGLE_BACKEND_CAP_CAPTURED |
                  EAGLE_BACKEND_CAP_FORK | EAGLE_BACKEND_CAP_CONDITIONAL | EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE |
                  EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH | EAGLE_BACKEND_CAP_ATTRIBUTION | EAGLE_BACKEND_CAP_GRAPH |
                  EAGLE_BACKEND_CAP_LAUNCHER | EAGLE_BACKEND_CAP_EXEC | EAGLE_BACKEND_CAP_DEVICE |
                  EAGLE_BACKEND_CAP_INTEROP | EAGLE_BACKEND_CAP_FILTERING;
    });
}

eagle_backend_status eagle_backend_device_types(int32_t* types, int32_t cap, int32_t* count) {
    return entry("eagle_backend_device_types", [&] {
        require_output(count, "count");
        if (cap < 0)
            refuse("cap is " + std::to_string(cap) + "; it must be the number of elements of types, 0 or more");
        if (cap > 0) require_output(types, "types");
        if (cap > 0) types[0] = this_kind.dlpack_type;
        *count = 1;
    });
}
