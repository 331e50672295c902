#include "simulate/Samples.h"

namespace eagle::sim {

Tally Samples::tally(std::int64_t cap) const {
    Tally out;
    for (std::int64_t i = 0; i < count_; ++i) {
        const bool set = finished(i);
        out.finished += set;
        out.done += set | (steps_[i] >= cap);
        out.steps += steps_[i];
    }
    return out;
}

Array Samples::mask() const {
    const std::int64_t shape[] = {count_};
    Array out = Array::empty(shape, Dtype::boolean);
    const auto bytes = out.as<std::uint8_t>();
    for (std::int64_t i = 0; i < count_; ++i) bytes[static_cast<std::size_t>(i)] = finished(i);
    return out;
}

}  // namespace eagle::sim
