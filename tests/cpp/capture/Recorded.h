// Kernels to record, and a graph of what was recorded.
#pragma once
#include <eagle/eagle.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/Table.h"

namespace capture_test {

using Plane = std::vector<std::int64_t>;

inline eagle::Backend cpu() { return eagle::Backend::load("cpu"); }
inline const eagle::Module& kernels() {
    static const eagle::Module module = eagle::Module::load(cpu(), CAPTURE_KERNELS);
    return module;
}

inline void launch(std::uint64_t stream, const char* function, Plane& y, std::uint64_t second) {
    std::int64_t* data = y.data();
    const std::array<std::uint64_t, 2> params{reinterpret_cast<std::uint64_t>(&data),
                                              reinterpret_cast<std::uint64_t>(&second)};
    const std::array<std::uint64_t, 2> sizes{8, 8};
    eagle_backend_launch_desc desc{};
    desc.struct_size = sizeof desc;
    desc.block = 64;
    desc.function = kernels().function(function);
    desc.params = params.data();
    desc.param_sizes = sizes.data();
    desc.nparams = 2;
    desc.count = desc.n_samples = static_cast<std::int64_t>(y.size());
    desc.stream = stream;
    std::int32_t launched = 0;
    cpu().check(cpu().table().run_device(&desc, &launched), "run_device");
}
inline void twice_and(std::uint64_t stream, Plane& y, std::int64_t add) {
    launch(stream, "twice_and", y, static_cast<std::uint64_t>(add));
}
inline void add_cell(std::uint64_t stream, Plane& y, const std::uint32_t& cell) {
    launch(stream, "add_cell", y, reinterpret_cast<std::uint64_t>(&cell));
}

inline std::uint64_t at(std::uint32_t& cell) { return reinterpret_cast<std::uint64_t>(&cell); }

template <class Wanted, class Call>
void expect_thrown(const Call& call, std::initializer_list<std::string> words) {
    try {
        call();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Wanted& error) {
        const std::string text = error.what();
        for (const auto& word : words)
            EXPECT_NE(text.find(word), std::string::npos) << "missing: " << word << "\nin: " << text;
    }
}

}  // namespace capture_test
