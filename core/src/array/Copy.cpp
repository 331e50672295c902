// Copies between arrays, wherever they lie.
#include <eagle/Backend.h>
#include <eagle/Error.h>
#include <eagle/Fence.h>
#include <eagle/Interop.h>
#include <eagle/Memory.h>
#include <eagle/marshal/ShapeText.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "array/Distinct.h"
#include "array/Place.h"
#include "backend/Loaded.h"

namespace eagle {
namespace {

std::size_t element_bytes(const ArrayView& view) {
    return static_cast<std::size_t>(view.type.bits / 8) * view.type.lanes;
}

void check(const ArrayView& from, const ArrayView& to) {
    if (from.ndim != to.ndim || !std::equal(from.shape.begin(), from.shape.begin() + from.ndim, to.shape.begin()))
        throw LayoutError("the source has shape " + shape_text(from) + " and the destination " + shape_text(to) +
                          "; a copy needs the same: reshape one of them");
    if (!(from.type == to.type))
        throw BufferRefused("the source has dtype " + element_type_name(from.type) + " and the destination " +
                            element_type_name(to.type) + "; a copy converts nothing: convert one of them first");
    // The bytes of an object are an address that its owner counts; of text and records this library knows no size.
    if (from.type.code == TypeCode::opaque || from.type.code == TypeCode::none || element_bytes(from) == 0)
        throw BufferRefused("the source and the destination have dtype " + element_type_name(from.type) +
                            "; a copy needs numbers: copy others with their own library");
    if (to.read_only) throw BufferRefused("the destination is read-only; a copy needs one that may be written");
    if (elements_share_bytes(to))
        throw LayoutError("the destination of shape " + shape_text(to) +
                          " has elements that share memory (strides of " +
                          shape_text({to.strides.data(), static_cast<std::size_t>(to.ndim)}) +
                          " bytes); a copy needs a place for each: give an array that is no broadcast or window of "
                          "another");
}

void require_memory(const ArrayView& view, const char* which) {
    if (view.data == nullptr)
        throw BufferRefused(std::string("the ") + which + " has shape " + shape_text(view) +
                            " and no memory; a copy needs real data (a fake or meta array?): materialise it first");
}

std::pair<std::uintptr_t, std::uintptr_t> bytes_of(const ArrayView& view) {
    auto first = reinterpret_cast<std::uintptr_t>(view.data), last = first + element_bytes(view);
    for (std::size_t k = 0; k < static_cast<std::size_t>(view.ndim); ++k) {
        const std::int64_t reach = (view.shape[k] - 1) * view.strides[k];
        (reach < 0 ? first : last) += static_cast<std::uintptr_t>(reach);
    }
    return {first, last};
}

void copy_axis(const ArrayView& from, const ArrayView& to, int axis, const std::byte* source, std::byte* target) {
    const std::size_t size = element_bytes(from);
    if (axis == from.ndim) {
        std::memcpy(target, source, size);
        return;
    }
    const auto k = static_cast<std::size_t>(axis);
    const auto step = static_cast<std::int64_t>(size);
    if (axis + 1 == from.ndim && from.strides[k] == step && to.strides[k] == step) {
        std::memcpy(target, source, static_cast<std::size_t>(from.shape[k]) * size);
        return;
    }
    for (std::int64_t i = 0; i < from.shape[k]; ++i)
        copy_axis(from, to, axis + 1, source + i * from.strides[k], target + i * to.strides[k]);
}

void copy_on_host(const ArrayView& from, const ArrayView& to) {
    if (from.data == to.data && std::equal(from.strides.begin(), from.strides.begin() + from.ndim, to.strides.begin()))
        return;
    const auto [from_first, from_last] = bytes_of(from);
    const auto [to_first, to_last] = bytes_of(to);
    if (from_first < to_last && to_first < from_last)
        throw BufferRefused("the source and the destination share memory; copy the source aside first");
    const auto* const source = static_cast<const std::byte*>(from.data);
    auto* const target = static_cast<std::byte*>(to.data);
    if (is_contiguous(from) && is_contiguous(to))
        std::memcpy(target, source, static_cast<std::size_t>(from.size()) * element_bytes(from));
    else
        copy_axis(from, to, 0, source, target);
}

void require_dense(const ArrayView& view, const char* which) {
    if (!is_contiguous(view))
        throw LayoutError(std::string("the ") + which + " of shape " + shape_text(view) +
                          " is not dense and row-major, as a copy to or from a device needs it: give a dense copy");
}

void copy_over_device(const ArrayView& from, const ArrayView& to) {
    const bool from_host = from.device_type == 1, to_host = to.device_type == 1;
    if (!from_host && !to_host && (from.device_type != to.device_type || from.device_id != to.device_id))
        throw BufferRefused("the source is on " + place_text(from) + " and the destination on " + place_text(to) +
                            "; copy to an array of the host first, and from there");
    require_dense(from, "source");
    require_dense(to, "destination");
    const ArrayView& device = from_host ? to : from;
    const Backend backend = detail::backend_of_device_type(device.device_type);
    const auto source = reinterpret_cast<std::uint64_t>(from.data), target = reinterpret_cast<std::uint64_t>(to.data);
    const std::uint64_t bytes = static_cast<std::uint64_t>(from.size()) * element_bytes(from);
    // The default stream alone would not say of which device.
    Stream stream(backend, device.device_id);
    fence(backend, device.device_id, 0, stream.native());
    const CopyKind within = from_host ? CopyKind::host_to_device : CopyKind::device_to_host;
    copy(backend, target, source, bytes, from_host || to_host ? within : CopyKind::device_to_device, stream.native());
    if (from_host || to_host) return stream.synchronize();
    fence(backend, device.device_id, stream.native(), 0);
}

}  // namespace

void copy(const ArrayView& from, const ArrayView& to) {
    check(from, to);
    if (from.size() == 0) return;
    require_memory(from, "source");
    require_memory(to, "destination");
    if (from.device_type == 1 && to.device_type == 1)
        copy_on_host(from, to);
    else
        copy_over_device(from, to);
}

}  // namespace eagle
