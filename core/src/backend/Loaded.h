// The backend of an array's device.
#pragma once
#include <eagle/Backend.h>

#include <cstdint>
#include <string>

namespace eagle::detail {

// The one of a kind that is loaded, wherever its file was, else what the loader finds. Throws BackendUnavailable as
// Backend::load() does.
inline Backend backend_of_kind(const std::string& kind) {
    for (const Backend& backend : loaded_backends())
        if (backend.kind() == kind) return backend;
    return Backend::load(kind);
}

// The same of the kind that serves a DLPack device type. Throws BackendUnavailable as kind_of_device_type() does.
inline Backend backend_of_device_type(std::int32_t device_type) {
    return backend_of_kind(kind_of_device_type(device_type));
}

}  // namespace eagle::detail
