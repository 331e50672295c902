// The backend of an array's device.
#pragma once
#include <eagle/Backend.h>

#include <cstdint>
#include <string>

namespace eagle::detail {

// Of the kind that serves a DLPack device type: the one that is loaded, wherever its file was, else what the loader
// finds. Throws BackendUnavailable as kind_of_device_type() and Backend::load() do.
inline Backend backend_of_device_type(std::int32_t device_type) {
    const std::string kind = kind_of_device_type(device_type);
    for (const Backend& backend : loaded_backends())
        if (backend.kind() == kind) return backend;
    return Backend::load(kind);
}

}  // namespace eagle::detail
