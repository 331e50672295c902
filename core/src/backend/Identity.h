// What tells one card from another, whichever kind drives it.
#pragma once
#include <eagle/Backend.h>

#include <cstdint>
#include <string>

namespace eagle::detail {

struct Identity {
    std::string uuid;  // hexadecimal
    std::string pci;   // "0000:f1:00.0"
};
// Both empty where the backend does not tell. Throws what the backend's call means.
Identity identity_of(const Backend& backend, std::int32_t device);

}  // namespace eagle::detail
