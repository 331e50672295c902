#include "exec/Blocks.h"

#include <cstring>

namespace eagle::exec {

ArrayView view_of_block(const Parameter& parameter, const void* raw, std::size_t bytes) {
    const auto size = static_cast<std::int64_t>(dtype_size(parameter.dtype));
    VectorBlock block{};
    if (bytes == sizeof(VectorBlock)) {
        std::memcpy(&block, raw, sizeof block);
    } else {
        ScalarBlock scalar{};
        std::memcpy(&scalar, raw, sizeof scalar);
        block = {scalar.data, scalar.samples, 0, scalar.stride, scalar.device_type, scalar.device_id};
    }
    ArrayView view;
    view.data = reinterpret_cast<void*>(block.data);
    view.type = ElementType::of(parameter.dtype);
    view.ndim = 2;
    view.shape = {static_cast<std::int64_t>(parameter.width()), static_cast<std::int64_t>(block.samples)};
    view.strides = {static_cast<std::int64_t>(block.comp_stride) * size,
                    static_cast<std::int64_t>(block.sample_stride) * size};
    view.device_type = block.device_type;
    view.device_id = block.device_id;
    view.axis = SamplesAxis::last;
    return view;
}

ArrayView view_of_block(const Parameter& parameter, const marshal::Packed& packed, std::size_t index) {
    return view_of_block(parameter, packed.params()[index], packed.param_sizes()[index]);
}

Value number_in_block(const Parameter& parameter, const void* block) {
    const auto read = [block](auto value) {
        std::memcpy(&value, block, sizeof value);
        return value;
    };
    if (parameter.dtype == Dtype::float64) return read(double{});
    if (parameter.dtype == Dtype::float32) return static_cast<double>(read(float{}));
    return read(std::int64_t{});
}

}  // namespace eagle::exec
