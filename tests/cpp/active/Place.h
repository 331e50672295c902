// Where a test's arrays lie: the host, the simulated device, or the GPU kind that
// EAGLE_GPU_PLACE begins with, on what it says.
#pragma once
#include <eagle/ActiveSet.h>
#include <eagle/Backend.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "Handmade.h"
#include "Simulated.h"

namespace active_tests {

using Mask = std::vector<std::uint8_t>;

struct Place {
    std::string name;
    eagle::Backend backend() const {
        if (name == "host") return eagle::Backend::load(eagle::host_kind());
        if (name == "simulated_device") return simulated::backend();
        return eagle::Backend::load(name.substr(0, name.find('_')));
    }
    // `shape` empty: one dimension.
    template <class T>
    eagle::Array up(const std::vector<T>& values, std::vector<std::int64_t> shape = {}) const {
        if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
        const eagle::ArrayView host =
            eagle::ArrayView::host(const_cast<T*>(values.data()), eagle::dtype_of<T>::value, shape);
        return eagle::Array::upload(host, backend());
    }
    friend std::ostream& operator<<(std::ostream& out, const Place& place) { return out << place.name; }
};

template <class T>
std::vector<T> down(const eagle::Array& array) {
    const eagle::Array host = array.download();
    const auto values = host.as<T>();
    return {values.begin(), values.end()};
}

class OnEach : public ::testing::TestWithParam<Place> {};

#ifdef EAGLE_GPU_PLACE
inline auto places() { return ::testing::Values(Place{EAGLE_GPU_PLACE}); }
#else
inline auto places() { return ::testing::Values(Place{"host"}, Place{"simulated_device"}); }
#endif
inline std::string place_name(const ::testing::TestParamInfo<Place>& info) { return info.param.name; }

}  // namespace active_tests
