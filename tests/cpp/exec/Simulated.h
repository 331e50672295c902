// The simulated device, for tests of what libeagle does on a kind with memory of its own.
#pragma once
#include <eagle/Array.h>
#include <eagle/Artifact.h>

#include <cstdint>
#include <span>
#include <vector>

namespace simulated {

inline eagle::Backend backend() { return eagle::Backend::load("sim", EAGLE_SIM_BACKEND); }

template <class T>
eagle::Array up(std::vector<T> values, std::int32_t device = 0) {
    return eagle::Array::upload(eagle::ArrayView::of(std::span<T>(values)), backend(), device);
}

template <class T>
std::vector<T> down(const eagle::Array& array) {
    const eagle::Array host = array.download();
    const auto values = host.as<T>();
    return {values.begin(), values.end()};
}

}  // namespace simulated
