// Arrays as eagle sees them: a view of somebody's memory, and host memory of eagle's own.
#pragma once
#include <eagle/export.h>
#include <eagle/marshal/ArrayView.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace eagle {

// Host memory of eagle's own: 64-byte aligned, large blocks on huge pages and pooled, shared by copies of the Array.
// Zero-filled.
class EAGLE_API Array {
  public:
    Array() = default;
    // Row-major, `shape` in elements. Throws OutOfMemory, or InvalidArgument for a negative or overflowing shape.
    static Array zeros(std::span<const std::int64_t> shape, Dtype dtype);
    // The same without the fill: the contents are whatever was there.
    static Array empty(std::span<const std::int64_t> shape, Dtype dtype);
    static Array zeros(std::initializer_list<std::int64_t> shape, Dtype dtype) {
        return zeros(std::span<const std::int64_t>(shape.begin(), shape.size()), dtype);
    }
    static Array empty(std::initializer_list<std::int64_t> shape, Dtype dtype) {
        return empty(std::span<const std::int64_t>(shape.begin(), shape.size()), dtype);
    }

    const ArrayView& view() const { return view_; }
    operator const ArrayView&() const { return view_; }
    template <class T>
    std::span<T> as() const {
        return {static_cast<T*>(view_.data), static_cast<std::size_t>(view_.size())};
    }
    // Who keeps the memory alive; for a binding that hands the array on.
    const std::shared_ptr<void>& owner() const { return owner_; }

  private:
    ArrayView view_;
    std::shared_ptr<void> owner_;
};

}  // namespace eagle
