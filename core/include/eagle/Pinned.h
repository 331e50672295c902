// Arrays of the host that a device reaches quickly.
#pragma once
#include <eagle/Array.h>
#include <eagle/export.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace eagle {

struct PinnedArray {
    Array array;       // of the host, uninitialised, row-major
    std::string kind;  // whose page-locked memory it is; empty: plain aligned memory
};

// Page-locked memory of the backend of `kind`; without one, of the one device kind that is loaded, and plain aligned
// memory where none is. Throws BackendUnavailable where two device kinds are loaded (naming them), where the kind is
// not there, or where its backend has no page-locked memory to give (naming the symbol).
EAGLE_API PinnedArray pinned(std::span<const std::int64_t> shape, Dtype dtype,
                             const std::optional<std::string>& kind = std::nullopt);

// The one backend loaded so far that serves more than host memory; none where there is none. Throws BackendUnavailable
// for two, naming them and `call`, which asks.
EAGLE_API std::optional<Backend> loaded_device_backend(const std::string& call);

}  // namespace eagle
