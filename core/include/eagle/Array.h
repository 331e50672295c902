// Arrays as eagle sees them: a view of somebody's memory, and memory of eagle's own, of the host or of a device.
#pragma once
#include <eagle/Backend.h>
#include <eagle/export.h>
#include <eagle/marshal/ArrayView.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

namespace eagle {

// Memory of eagle's own, shared by copies of the Array. Of the host: 64-byte aligned, large blocks on huge pages and
// pooled. Of a device: what its backend allocates, freed in the order of the device's legacy default stream, that is
// after all work put on blocking streams before.
class EAGLE_API Array {
  public:
    Array() = default;
    // Row-major, `shape` in elements, filled with zeros. Throws OutOfMemory, or InvalidArgument for a negative or
    // overflowing shape.
    static Array zeros(std::span<const std::int64_t> shape, Dtype dtype);
    // The same without the fill: the contents are whatever was there.
    static Array empty(std::span<const std::int64_t> shape, Dtype dtype);
    static Array zeros(std::initializer_list<std::int64_t> shape, Dtype dtype) {
        return zeros(std::span<const std::int64_t>(shape.begin(), shape.size()), dtype);
    }
    static Array empty(std::initializer_list<std::int64_t> shape, Dtype dtype) {
        return empty(std::span<const std::int64_t>(shape.begin(), shape.size()), dtype);
    }
    // Page-locked memory of a backend, of the host, not filled. Throws BackendUnavailable naming the symbol where the
    // backend has none to give.
    static Array pinned(std::span<const std::int64_t> shape, Dtype dtype, const Backend& backend);

    // The same on device `device` of a backend; one that serves host memory gives host memory. A device's contents are
    // there when the call returns. Throws BackendUnavailable where the backend has no memory to give.
    static Array zeros(std::span<const std::int64_t> shape, Dtype dtype, const Backend& backend,
                       std::int32_t device = 0);
    static Array empty(std::span<const std::int64_t> shape, Dtype dtype, const Backend& backend,
                       std::int32_t device = 0);
    static Array zeros(std::initializer_list<std::int64_t> shape, Dtype dtype, const Backend& backend,
                       std::int32_t device = 0) {
        return zeros(std::span<const std::int64_t>(shape.begin(), shape.size()), dtype, backend, device);
    }
    static Array empty(std::initializer_list<std::int64_t> shape, Dtype dtype, const Backend& backend,
                       std::int32_t device = 0) {
        return empty(std::span<const std::int64_t>(shape.begin(), shape.size()), dtype, backend, device);
    }
    // Memory of somebody else's, which lies as `view` says, on the host or on a device of that backend, and which
    // `owner` keeps there.
    static Array over(const ArrayView& view, std::shared_ptr<void> owner, const Backend& backend);
    // A copy of a dense row-major host array on a device; the source may change when the call returns. Throws
    // BufferRefused for an array that is not on the host, not dense, or of an element type that eagle has not.
    static Array upload(const ArrayView& host, const Backend& backend, std::int32_t device = 0);
    // A copy on the host, behind all work put on the device's blocking streams before; returns when it is there. Throws
    // LayoutError for memory that is not dense.
    Array download() const;
    // Overwrites it with a dense host array of the same type and number of elements, behind the same work. Throws
    // LayoutError for memory that is not dense.
    void assign(const ArrayView& host) const;

    // Over memory of somebody else's: when that is freed is not in the order of the device.
    bool foreign() const { return foreign_; }
    // Of memory of a device. Throws BufferRefused for an array of the host.
    const Backend& backend() const;
    bool on_host() const { return view_.device_type == 1; }
    const ArrayView& view() const { return view_; }
    operator const ArrayView&() const { return view_; }
    // Its elements, row-major, for as long as the memory is there. T is the C++ type of the array's dtype, as dtype_of
    // (marshal/ArrayView.h) pairs them: double float64, float float32, std::int64_t int64, std::int32_t int32,
    // std::uint32_t uint32. The dtype bool has two: std::uint8_t reads a byte as it lies there, since a mask of the
    // caller's may say true by any nonzero one; bool is for memory that holds 0 and 1 alone. Nothing is converted, and
    // no other T compiles: bytes of other arrays are at view().data. const T reads a read-only array too. Throws
    // BufferRefused for an array of a device, of another dtype, read-only where T is not const, without memory (as
    // Array() is) or not aligned to its elements; LayoutError for one that is not dense and row-major.
    template <class T>
    std::span<T> as() const {
        using U = std::remove_const_t<T>;
        static_assert(has_dtype<U>,
                      "eagle::Array::as<T>: no dtype of eagle has this T; use double, float, std::int64_t, "
                      "std::int32_t, std::uint32_t, or std::uint8_t or bool for a mask");
        if constexpr (has_dtype<U>) require_elements(dtype_of<U>::value, !std::is_const_v<T>);
        return {static_cast<T*>(view_.data), static_cast<std::size_t>(view_.size())};
    }
    // Who keeps the memory alive, for a binding that hands the array on. Its pointer is the memory's on the host alone.
    const std::shared_ptr<void>& owner() const { return owner_; }

  private:
    template <class U>
    static constexpr bool has_dtype = requires { dtype_of<U>::value; };
    void require_elements(Dtype wanted, bool to_write) const;
    ArrayView view_;
    std::shared_ptr<void> owner_;
    std::optional<Backend> backend_;  // of device memory
    bool foreign_ = false;
};

}  // namespace eagle
