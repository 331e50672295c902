// A backend that lets a C++ exception out of one entry: ZOO_THROWS names it, ZOO_THROWN is what it throws.
#include <eagle/seam/eagle_backend.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>

#ifndef ZOO_THROWN
#define ZOO_THROWN std::runtime_error("the cage is open")
#endif
#define ZOO_TEXT_OF(name) #name
#define ZOO_TEXT(name) ZOO_TEXT_OF(name)

namespace {

void pass(std::string_view entry) {
    if (entry == ZOO_TEXT(ZOO_THROWS)) throw ZOO_THROWN;
}

// last_error is asked only after a failure.
constexpr bool fails = std::string_view(ZOO_TEXT(ZOO_THROWS)) == "last_error";

}  // namespace

std::uint32_t eagle_backend_version() {
    pass("version");
    return EAGLE_BACKEND_VERSION;
}

const char* eagle_backend_last_error() {
    pass("last_error");
    return "";
}

eagle_backend_status eagle_backend_build_info(struct eagle_backend_build_info* info) {
    pass("build_info");
    struct eagle_backend_build_info own{};
    own.struct_size = std::min<std::uint32_t>(info->struct_size, sizeof own);
    own.abi_version = EAGLE_BACKEND_VERSION;
    std::strcpy(own.backend_kind, "zoo");
    std::memcpy(info, &own, own.struct_size);
    return EAGLE_BACKEND_OK;
}

eagle_backend_status eagle_backend_probe() {
    pass("probe");
    return EAGLE_BACKEND_OK;
}

void eagle_backend_free(void*) {}

eagle_backend_status eagle_backend_capabilities(std::uint64_t* groups) {
    pass("capabilities");
    *groups = 0;
    return fails ? EAGLE_BACKEND_ERROR : EAGLE_BACKEND_OK;
}

eagle_backend_status eagle_backend_device_types(std::int32_t* types, std::int32_t cap, std::int32_t* count) {
    pass("device_types");
    if (cap > 0) types[0] = 12;
    *count = 1;
    return EAGLE_BACKEND_OK;
}
