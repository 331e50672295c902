#include <eagle/Error.h>
#include <eagle/marshal/ArrayView.h>

namespace eagle {
namespace {

std::string bits_text(const char* stem, ElementType type) { return stem + std::to_string(type.bits); }

std::string base_name(ElementType type) {
    switch (type.code) {
        case TypeCode::integer:
            return bits_text("int", type);
        case TypeCode::unsigned_integer:
            return bits_text("uint", type);
        case TypeCode::floating:
            return bits_text("float", type);
        case TypeCode::bfloat:
            return bits_text("bfloat", type);
        case TypeCode::complex:
            return bits_text("complex", type);
        case TypeCode::boolean:
            return type.bits == 8 ? "bool" : bits_text("bool", type);
        case TypeCode::opaque:
            return "object";
        case TypeCode::none:
            break;
    }
    return "non-numeric (text, dates or records)";
}

}  // namespace

std::string element_type_name(ElementType type) {
    std::string name = base_name(type);
    if (type.lanes != 1) name += " x " + std::to_string(type.lanes);
    if (!type.swapped) return name;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return "big-endian " + name;
#else
    return "little-endian " + name;
#endif
}

ArrayView ArrayView::host(void* data, Dtype dtype, std::span<const std::int64_t> shape, bool read_only) {
    if (shape.size() > static_cast<std::size_t>(max_dims))
        throw LayoutError("an array of " + std::to_string(shape.size()) + " dimensions; at most " +
                          std::to_string(max_dims) + " are described");
    ArrayView view;
    view.data = data;
    view.type = ElementType::of(dtype);
    view.ndim = static_cast<std::int32_t>(shape.size());
    view.read_only = read_only;
    std::int64_t step = static_cast<std::int64_t>(dtype_size(dtype));
    for (std::size_t i = shape.size(); i-- > 0;) {
        view.shape[i] = shape[i];
        view.strides[i] = step;
        step *= shape[i];
    }
    return view;
}

}  // namespace eagle
