#include <eagle/Error.h>
#include <eagle/Memory.h>
#include <eagle/Pinned.h>

#include <memory>
#include <utility>
#include <vector>

#include "array/Memory.h"

namespace eagle {

std::optional<Backend> loaded_device_backend(const std::string& call) {
    std::optional<Backend> found;
    std::string kinds;
    bool several = false;
    for (const Backend& backend : loaded_backends()) {
        if (backend.host_only() || !backend.usable_here()) continue;
        kinds += (found ? ", " : "") + backend.kind();
        several |= found.has_value();
        found = backend;
    }
    if (!several) return found;
    throw BackendUnavailable("eagle: " + call + " is ambiguous, " + kinds +
                             " are loaded; name one of them as the backend");
}

Array Array::pinned(std::span<const std::int64_t> shape, Dtype dtype, const Backend& backend) {
    auto buffer = std::make_shared<PinnedBuffer>(backend, array::bytes_of(shape, dtype));
    Array out;
    out.view_ = ArrayView::host(buffer->data(), dtype, shape);
    out.owner_ = std::move(buffer);
    return out;
}

PinnedArray pinned(std::span<const std::int64_t> shape, Dtype dtype, const std::optional<std::string>& kind) {
    array::bytes_of(shape, dtype);  // refuses a shape that no array has before any backend is asked
    const std::optional<Backend> of = kind ? Backend::load(named_kind(*kind)) : loaded_device_backend("pinned memory");
    if (!of) return {Array::empty(shape, dtype), ""};
    return {Array::pinned(shape, dtype, *of), of->kind()};
}

}  // namespace eagle
