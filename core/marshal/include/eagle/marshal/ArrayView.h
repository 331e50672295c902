// An array that somebody else owns, described without its framework.
#pragma once
#include <eagle/export.h>
#include <eagle/marshal/Signature.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>

namespace eagle {

// Type codes of DLPack (dlpack.h, DLDataTypeCode); `none` is a type that DLPack has no code for.
enum class TypeCode : std::uint8_t {
    integer = 0,
    unsigned_integer = 1,
    floating = 2,
    opaque = 3,
    bfloat = 4,
    complex = 5,
    boolean = 6,
    none = 255
};

// The element type of an array that came in: wider than Dtype, since a refusal must name what it found.
struct EAGLE_API ElementType {
    TypeCode code = TypeCode::floating;
    std::uint8_t bits = 64;
    std::uint16_t lanes = 1;
    bool swapped = false;  // not in the machine's byte order

    static constexpr ElementType of(Dtype dtype);
    friend bool operator==(const ElementType&, const ElementType&) = default;
};
constexpr ElementType ElementType::of(Dtype dtype) {
    switch (dtype) {
        case Dtype::float64:
            return {TypeCode::floating, 64, 1, false};
        case Dtype::float32:
            return {TypeCode::floating, 32, 1, false};
        case Dtype::int64:
            return {TypeCode::integer, 64, 1, false};
        case Dtype::int32:
            return {TypeCode::integer, 32, 1, false};
        case Dtype::uint32:
            return {TypeCode::unsigned_integer, 32, 1, false};
        case Dtype::boolean:
            break;
    }
    return {TypeCode::boolean, 8, 1, false};
}
EAGLE_API std::string element_type_name(ElementType type);  // "float64", "complex128", "big-endian float64"

// Which axis of the array counts samples, when the caller says so.
enum class SamplesAxis : std::uint8_t { unspecified, first, last };

struct EAGLE_API ArrayView {
    static constexpr int max_dims = 8;

    void* data = nullptr;
    ElementType type;
    std::int32_t ndim = 0;
    std::array<std::int64_t, max_dims> shape{};
    std::array<std::int64_t, max_dims> strides{};  // bytes from one element to the next along each axis
    std::int32_t device_type = 1;                  // DLPack device type; 1 is host memory
    std::int32_t device_id = 0;
    bool read_only = false;
    SamplesAxis axis = SamplesAxis::unspecified;

    std::int64_t size() const {
        std::int64_t n = 1;
        for (int i = 0; i < ndim; ++i) n *= shape[static_cast<std::size_t>(i)];
        return n;
    }

    // A dense row-major host array. `shape` in elements, at most max_dims of them.
    static ArrayView host(void* data, Dtype dtype, std::span<const std::int64_t> shape, bool read_only = false);
    static ArrayView host(void* data, Dtype dtype, std::initializer_list<std::int64_t> shape, bool read_only = false) {
        return host(data, dtype, std::span<const std::int64_t>(shape.begin(), shape.size()), read_only);
    }
    // One dimension over a span of a supported element type (std::uint8_t stands for the bytes of a mask). const
    // elements make it read-only.
    template <class T, std::size_t Extent>
    static ArrayView of(std::span<T, Extent> values);
};

template <class T>
struct dtype_of;
template <>
struct dtype_of<double> {
    static constexpr Dtype value = Dtype::float64;
};
template <>
struct dtype_of<float> {
    static constexpr Dtype value = Dtype::float32;
};
template <>
struct dtype_of<std::int64_t> {
    static constexpr Dtype value = Dtype::int64;
};
template <>
struct dtype_of<std::int32_t> {
    static constexpr Dtype value = Dtype::int32;
};
template <>
struct dtype_of<std::uint32_t> {
    static constexpr Dtype value = Dtype::uint32;
};
template <>
struct dtype_of<std::uint8_t> {
    static constexpr Dtype value = Dtype::boolean;
};
template <>
struct dtype_of<bool> {
    static constexpr Dtype value = Dtype::boolean;
};

template <class T, std::size_t Extent>
ArrayView ArrayView::of(std::span<T, Extent> values) {
    using U = std::remove_const_t<T>;
    return host(const_cast<U*>(values.data()), dtype_of<U>::value, {static_cast<std::int64_t>(values.size())},
                std::is_const_v<T>);
}

}  // namespace eagle
