// A shape as refusals write it: "(3, 4)", "(5,)", "()".
#pragma once
#include <eagle/marshal/ArrayView.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace eagle {

inline std::string shape_text(std::span<const std::int64_t> shape) {
    std::string text;
    for (const std::int64_t extent : shape) text += (text.empty() ? "" : ", ") + std::to_string(extent);
    return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

inline std::string shape_text(const ArrayView& view) {
    return shape_text({view.shape.data(), static_cast<std::size_t>(view.ndim)});
}

}  // namespace eagle
