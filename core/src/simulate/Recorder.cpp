#include "simulate/Recorder.h"

#include <eagle/Memory.h>

#include <cstring>

namespace eagle::sim {
namespace {

Dtype dtype_of_view(const ArrayView& view, const std::string& name) {
    for (const Dtype dtype :
         {Dtype::float64, Dtype::float32, Dtype::int64, Dtype::int32, Dtype::uint32, Dtype::boolean})
        if (ElementType::of(dtype) == view.type) return dtype;
    if (view.type == ElementType{TypeCode::unsigned_integer, 8}) return Dtype::boolean;  // a mask of bytes
    throw BufferRefused("plane '" + name + "' is " + element_type_name(view.type) +
                        ", of which no copy is recorded; give it in the kernel's own dtype");
}

void copy_strided(const ArrayView& view, int axis, const std::byte* from, std::byte*& to, std::size_t size) {
    if (axis == view.ndim) {
        std::memcpy(to, from, size);
        to += size;
        return;
    }
    const auto k = static_cast<std::size_t>(axis);
    if (axis + 1 == view.ndim && view.strides[k] == static_cast<std::int64_t>(size)) {
        const std::size_t bytes = static_cast<std::size_t>(view.shape[k]) * size;
        std::memcpy(to, from, bytes);
        to += bytes;
        return;
    }
    for (std::int64_t i = 0; i < view.shape[k]; ++i) copy_strided(view, axis + 1, from + i * view.strides[k], to, size);
}

}  // namespace

Array snapshot(const ArrayView& view, const std::string& name) {
    const Dtype dtype = dtype_of_view(view, name);
    Array out = Array::empty(std::span(view.shape.data(), static_cast<std::size_t>(view.ndim)), dtype);
    if (view.device_type != 1) {
        ArrayView as = view;
        as.type = ElementType::of(dtype);
        copy(as, out);
        return out;
    }
    auto* to = static_cast<std::byte*>(out.view().data);
    if (view.size() > 0) copy_strided(view, 0, static_cast<const std::byte*>(view.data), to, dtype_size(dtype));
    return out;
}

Recorder::Recorder(PlaneOf plane_of, const std::vector<std::string>& names) : plane_of_(std::move(plane_of)) {
    for (const std::string& name : names) {
        dtype_of_view(plane_of_(name), name);
        recorded_.emplace_back(name, std::vector<Array>());
    }
}

void Recorder::record() {
    for (auto& [name, arrays] : recorded_) arrays.push_back(snapshot(plane_of_(name), name));
}

}  // namespace eagle::sim
