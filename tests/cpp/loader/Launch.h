// A launch through the table of a backend, as the seam has it.
#pragma once
#include <eagle/Stream.h>

#include <cstdint>
#include <vector>

#include "backend/Table.h"

namespace loader_test {

// Puts `function` over every element of `x` on the stream; `values` are its further arguments.
inline void launch(const eagle::Stream& stream, std::uint64_t function, std::vector<double>& x,
                   std::vector<double> values = {}) {
    double* data = x.data();
    std::vector<std::uint64_t> params{reinterpret_cast<std::uint64_t>(&data)};
    std::vector<std::uint64_t> sizes{sizeof data};
    for (auto& value : values) {
        params.push_back(reinterpret_cast<std::uint64_t>(&value));
        sizes.push_back(sizeof value);
    }
    eagle_backend_launch_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = stream.device();
    desc.block = 64;
    desc.function = function;
    desc.params = params.data();
    desc.param_sizes = sizes.data();
    desc.nparams = static_cast<std::int64_t>(params.size());
    desc.count = desc.n_samples = static_cast<std::int64_t>(x.size());
    desc.stream = stream.native();
    std::int32_t launched = 0;
    stream.backend().check(stream.backend().table().run_device(&desc, &launched), "run_device");
}

}  // namespace loader_test
