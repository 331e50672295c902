#include <eagle/Array.h>
#include <eagle/Error.h>

#include <string>

#include "array/Memory.h"

namespace eagle {

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

}  // namespace eagle
