#include <eagle/Array.h>
#include <eagle/Error.h>
#include <eagle/Interop.h>
#include <eagle/marshal/ShapeText.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include "array/Memory.h"
#include "array/Place.h"

namespace eagle {
namespace {

struct Element {
    Dtype dtype;
    const char* type;   // its T, as a next step
    const char* needs;  // who needs it: as() does not say by which T of bool it was called
};
constexpr Element elements[] = {
    {Dtype::float64, "double", "as<double>() needs"},
    {Dtype::float32, "float", "as<float>() needs"},
    {Dtype::int64, "std::int64_t", "as<std::int64_t>() needs"},
    {Dtype::int32, "std::int32_t", "as<std::int32_t>() needs"},
    {Dtype::uint32, "std::uint32_t", "as<std::uint32_t>() needs"},
    {Dtype::boolean, "std::uint8_t", "as<std::uint8_t>() and as<bool>() need"},
};

const Element& element_of(Dtype dtype) {
    return *std::find_if(std::begin(elements), std::end(elements), [&](const Element& e) { return e.dtype == dtype; });
}

[[noreturn]] void refuse_dtype(ElementType found, Dtype wanted) {
    std::string step = "convert it with the library that made it";
    for (const Element& element : elements)
        if (ElementType::of(element.dtype) == found) step = std::string("use as<") + element.type + ">()";
    throw BufferRefused("the array has dtype " + element_type_name(found) + "; " + element_of(wanted).needs + " " +
                        element_type_name(ElementType::of(wanted)) + ": " + step + ", or make the array of that dtype");
}

}  // namespace

std::size_t array::bytes_of(std::span<const std::int64_t> shape, Dtype dtype) {
    if (shape.size() > ArrayView::max_dims)
        throw InvalidArgument("an array of " + std::to_string(shape.size()) + " dimensions; at most " +
                              std::to_string(ArrayView::max_dims) + " are supported");
    std::int64_t bytes = static_cast<std::int64_t>(dtype_size(dtype));
    bool empty = false;
    for (const std::int64_t extent : shape) {
        if (extent < 0)
            throw InvalidArgument("an array extent is " + std::to_string(extent) + "; it must be at least 0");
        empty |= extent == 0;
    }
    if (empty) return 0;
    for (const std::int64_t extent : shape)
        if (__builtin_mul_overflow(bytes, extent, &bytes))
            throw InvalidArgument("an array of " + std::to_string(shape.size()) + " dimensions, " +
                                  std::to_string(extent) +
                                  " along one, has more bytes than int64 counts; use a smaller shape");
    return static_cast<std::size_t>(bytes);
}

Array Array::zeros(std::span<const std::int64_t> shape, Dtype dtype) {
    Array out;
    out.owner_ = array::allocate(array::bytes_of(shape, dtype), true);
    out.view_ = ArrayView::host(out.owner_.get(), dtype, shape);
    return out;
}

Array Array::empty(std::span<const std::int64_t> shape, Dtype dtype) {
    Array out;
    out.owner_ = array::allocate(array::bytes_of(shape, dtype), false);
    out.view_ = ArrayView::host(out.owner_.get(), dtype, shape);
    return out;
}

void Array::require_elements(Dtype wanted, bool to_write) const {
    if (!on_host())
        throw BufferRefused("the array is on " + place_text(view_) +
                            ", which the host cannot touch; make a copy on the host with download()");
    if (!(view_.type == ElementType::of(wanted))) refuse_dtype(view_.type, wanted);
    if (to_write && view_.read_only)
        throw BufferRefused(std::string("the array is read-only; a span that may be written needs one that may: use "
                                        "as<const ") +
                            element_of(wanted).type + ">()");
    if (!is_contiguous(view_))
        throw LayoutError("the array of shape " + shape_text(view_) + " has strides of " +
                          shape_text({view_.strides.data(), static_cast<std::size_t>(view_.ndim)}) +
                          " bytes; as<T>() needs it dense and row-major: eagle::copy() it into one that "
                          "Array::empty() makes, or go by the strides of view()");
    if (view_.size() == 0) return;
    if (view_.data == nullptr)
        throw BufferRefused("the array has shape " + shape_text(view_) +
                            " and no memory; as<T>() needs some: make it with Array::zeros() or Array::empty()");
    const std::size_t bytes = dtype_size(wanted);
    if (reinterpret_cast<std::uintptr_t>(view_.data) % bytes != 0)
        throw BufferRefused("the array begins " + std::to_string(reinterpret_cast<std::uintptr_t>(view_.data) % bytes) +
                            " bytes behind a multiple of the " + std::to_string(bytes) +
                            " bytes of its elements; as<T>() needs it aligned to them: eagle::copy() it into one that "
                            "Array::empty() makes");
}

}  // namespace eagle
