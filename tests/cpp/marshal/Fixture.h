// Signatures and shorthands that the marshal tests share.
#pragma once
#include <eagle/Error.h>
#include <eagle/marshal/Pack.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eagle::marshal {

inline Parameter scalar_in(std::string name, Dtype dtype = Dtype::float64) {
    return {std::move(name), Role::per_sample, dtype};
}
inline Parameter vector_in(std::string name, std::uint32_t width, Dtype dtype = Dtype::float64) {
    return {std::move(name), Role::vec_in, dtype, width, 1, true};
}
inline Parameter matrix_in(std::string name, std::uint32_t rows, std::uint32_t cols) {
    return {std::move(name), Role::mat_in, Dtype::float64, rows, cols, true, true};
}
inline Parameter scalar_out(std::string name = "out", Dtype dtype = Dtype::float64) {
    return {std::move(name), Role::out, dtype, 1, 1, true};
}
inline Parameter vector_out(std::string name, std::uint32_t width) {
    return {std::move(name), Role::out, Dtype::float64, width, 1, true};
}
inline Parameter state(std::string name, Dtype dtype = Dtype::float64) {
    return {std::move(name), Role::mutable_, dtype, 1, 1, false, false, true};
}
inline Parameter vector_state(std::string name, std::uint32_t width) {
    return {std::move(name), Role::mutable_, Dtype::float64, width, 1, true, false, true};
}
inline Parameter mask(std::string name = "done") { return {std::move(name), Role::terminated, Dtype::boolean}; }
inline Parameter uniform(std::string name, Dtype dtype = Dtype::float64) {
    return {std::move(name), Role::uniform, dtype};
}

inline Signature kernel(std::vector<Parameter> parameters, std::string name = "k") {
    Signature s;
    s.kernel = std::move(name);
    s.parameters = std::move(parameters);
    return s;
}

using Named = std::vector<std::pair<std::string_view, Value>>;

inline Packed pack_named(const Signature& signature, const Named& arguments, const Options& options = {}) {
    std::vector<std::string_view> names;
    std::vector<Value> values;
    for (const auto& [name, value] : arguments) {
        names.push_back(name);
        values.push_back(value);
    }
    return pack(signature, names, values, options);
}

inline Options converting() {
    Options o;
    o.conversion = Conversion::convert;
    return o;
}

template <class T>
ArrayView array(std::vector<T>& values) {
    return ArrayView::of(std::span<T>(values));
}
template <class T>
ArrayView array(std::vector<T>& values, std::initializer_list<std::int64_t> shape) {
    return ArrayView::host(values.data(), dtype_of<T>::value, shape);
}
// A view with strides in elements of T, starting at element `offset`.
template <class T>
ArrayView strided(std::vector<T>& values, std::initializer_list<std::int64_t> shape,
                  std::initializer_list<std::int64_t> strides, std::int64_t offset = 0) {
    ArrayView view = ArrayView::host(values.data() + offset, dtype_of<T>::value, shape);
    std::size_t i = 0;
    for (std::int64_t s : strides) view.strides[i++] = s * static_cast<std::int64_t>(sizeof(T));
    return view;
}
inline ArrayView typed(ArrayView view, TypeCode code, std::uint8_t bits, bool swapped = false) {
    view.type = {code, bits, 1, swapped};
    return view;
}

// The blocks as docs/artifacts.md lays them out.
struct ScalarBlock {
    char* data;
    std::uint64_t samples, stride;
    std::int32_t device_type, device_id;
};
struct VectorBlock {
    char* data;
    std::uint64_t samples, comp_stride, sample_stride;
    std::int32_t device_type, device_id;
};
template <class Block>
Block block(const Packed& packed, std::size_t index) {
    Block b;
    EXPECT_EQ(packed.param_sizes()[index], sizeof b);
    std::memcpy(&b, packed.params()[index], sizeof b);
    return b;
}
// What the kernel reads for sample i, component c.
template <class T = double>
T read_scalar(const Packed& packed, std::size_t index, std::uint64_t i) {
    auto b = block<ScalarBlock>(packed, index);
    T value;
    std::memcpy(&value, b.data + i * b.stride * sizeof(T), sizeof value);
    return value;
}
template <class T = double>
T read_vector(const Packed& packed, std::size_t index, std::uint64_t c, std::uint64_t i) {
    auto b = block<VectorBlock>(packed, index);
    T value;
    std::memcpy(&value, b.data + (c * b.comp_stride + i * b.sample_stride) * sizeof(T), sizeof value);
    return value;
}
template <class T>
T read_number(const Packed& packed, std::size_t index) {
    T value;
    EXPECT_EQ(packed.param_sizes()[index], sizeof value);
    std::memcpy(&value, packed.params()[index], sizeof value);
    return value;
}

// The text of the error that `f` throws, which must be exactly of class E.
template <class E, class F>
std::string refusal(F f) {
    try {
        f();
    } catch (const E& e) {
        EXPECT_EQ(typeid(e), typeid(E)) << e.what();
        return e.what();
    } catch (const std::exception& e) {
        ADD_FAILURE() << "another class: " << e.what();
        return e.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
}
inline void expect_words(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' not in: " << text;
}

}  // namespace eagle::marshal
