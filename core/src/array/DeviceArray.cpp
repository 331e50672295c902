// Arrays in memory of a device, and the way there and back.
#include <eagle/Array.h>
#include <eagle/Capture.h>
#include <eagle/Error.h>
#include <eagle/Fence.h>
#include <eagle/Interop.h>
#include <eagle/Memory.h>

#include <cstring>
#include <string>
#include <utility>

#include "array/Memory.h"
#include "array/Place.h"

namespace eagle {
namespace {

std::uint64_t address(const void* data) { return reinterpret_cast<std::uint64_t>(data); }

// The type of the backend's device memory is the first that it names.
std::int32_t device_type(const Backend& backend) {
    if (backend.device_types().empty())
        throw BackendUnavailable("eagle: the backend '" + backend.kind() + "' (" + backend.path().string() +
                                 ") serves no DLPack device type; use one that has memory");
    return backend.device_types().front();
}

Dtype dtype_of_elements(const ArrayView& view) {
    for (const Dtype dtype :
         {Dtype::float64, Dtype::float32, Dtype::int64, Dtype::int32, Dtype::uint32, Dtype::boolean})
        if (ElementType::of(dtype) == view.type) return dtype;
    throw BufferRefused("the array has dtype " + element_type_name(view.type) +
                        "; a copy on a device needs float64, float32, int64, int32, uint32 or bool");
}

void require_dense(const ArrayView& view) {
    if (!is_contiguous(view))
        throw LayoutError("the array on " + place_text(view) +
                          " is not dense and row-major, as a copy to or from it needs it: make a dense one");
}

void require_dense_host(const ArrayView& view) {
    if (view.device_type != 1)
        throw BufferRefused("the array is on " + place_text(view) + "; a copy to a device needs an array of the host");
    if (!is_contiguous(view))
        throw BufferRefused("the array is not dense and row-major, as a copy to a device needs it: copy it first");
}

// A stream behind all work put on the device's blocking streams before.
class Behind {
  public:
    Behind(const Backend& backend, std::int32_t device) : stream_(backend, device) {
        fence(backend, device, 0, stream_.native());
    }
    void copy(std::uint64_t to, std::uint64_t from, std::size_t bytes, CopyKind kind) {
        eagle::copy(stream_.backend(), to, from, bytes, kind, stream_.native());
        stream_.synchronize();
    }
    void clear(std::uint64_t to, std::size_t bytes) {
        eagle::clear(stream_.backend(), to, bytes, stream_.native());
        stream_.synchronize();
    }

  private:
    Stream stream_;
};

std::size_t size_in_bytes(const ArrayView& view) {
    return static_cast<std::size_t>(view.size()) * static_cast<std::size_t>(view.type.bits / 8);
}

}  // namespace

const Backend& Array::backend() const {
    if (!backend_) throw BufferRefused("the array is on the host, where memory has no backend; needs one of a device");
    return *backend_;
}

Array Array::empty(std::span<const std::int64_t> shape, Dtype dtype, const Backend& backend, std::int32_t device) {
    const std::int32_t type = device_type(backend);
    if (type == 1) return empty(shape, dtype);
    auto buffer = std::make_shared<DeviceBuffer>(backend, device, array::bytes_of(shape, dtype));
    Array out;
    out.view_ = ArrayView::host(reinterpret_cast<void*>(buffer->address()), dtype, shape);
    out.view_.device_type = type;
    out.view_.device_id = device;
    out.owner_ = std::move(buffer);
    out.backend_ = backend;
    return out;
}

Array Array::over(const ArrayView& view, std::shared_ptr<void> owner, const Backend& backend) {
    Array out;
    out.view_ = view;
    out.owner_ = std::move(owner);
    out.backend_ = backend;
    out.foreign_ = true;
    return out;
}

Array Array::zeros(std::span<const std::int64_t> shape, Dtype dtype, const Backend& backend, std::int32_t device) {
    if (device_type(backend) == 1) return zeros(shape, dtype);
    Array out = empty(shape, dtype, backend, device);
    if (out.view_.size() != 0) Behind(backend, device).clear(address(out.view_.data), size_in_bytes(out.view_));
    return out;
}

Array Array::upload(const ArrayView& host, const Backend& backend, std::int32_t device) {
    const Dtype dtype = dtype_of_elements(host);
    require_dense_host(host);
    Array out = empty(std::span(host.shape.data(), static_cast<std::size_t>(host.ndim)), dtype, backend, device);
    out.assign(host);
    return out;
}

Array Array::download() const {
    const Dtype dtype = dtype_of_elements(view_);
    require_dense(view_);
    Array out = empty(std::span(view_.shape.data(), static_cast<std::size_t>(view_.ndim)), dtype);
    const std::size_t bytes = size_in_bytes(view_);
    if (bytes == 0) return out;
    if (on_host()) {
        std::memcpy(out.view_.data, view_.data, bytes);
        return out;
    }
    Behind(*backend_, view_.device_id)
        .copy(address(out.view_.data), address(view_.data), bytes, CopyKind::device_to_host);
    return out;
}

void Array::assign(const ArrayView& host) const {
    require_dense_host(host);
    require_dense(view_);
    if (!(host.type == view_.type) || host.size() != view_.size())
        throw BufferRefused("the array has " + std::to_string(host.size()) + " elements of " +
                            element_type_name(host.type) + "; the one that it goes into has " +
                            std::to_string(view_.size()) + " of " + element_type_name(view_.type) +
                            ": give as many of the same type");
    const std::size_t bytes = size_in_bytes(view_);
    if (bytes == 0) return;
    if (on_host()) {
        std::memmove(view_.data, host.data, bytes);
        return;
    }
    Behind(*backend_, view_.device_id).copy(address(view_.data), address(host.data), bytes, CopyKind::host_to_device);
}

}  // namespace eagle
