#include "simulate/Samples.h"

namespace eagle::sim {

Tally Samples::tally(std::int64_t cap) const {
    Tally out;
    for (std::int64_t i = 0; i < count_; ++i) {
        out.done += finished(i) | (steps_[i] >= cap);
        out.steps += steps_[i];
    }
    return out;
}

std::int64_t Samples::finished_count() const {
    const std::uint8_t* const mask = mask_;
    std::int64_t out = 0;
    if (stride_ == 1)  // a loop of its own: this one becomes vector code
        for (std::int64_t i = 0; i < count_; ++i) out += mask[i] != 0;
    else
        for (std::int64_t i = 0; i < count_; ++i) out += finished(i);
    return out;
}

std::int64_t Samples::total_steps() const {
    std::int64_t out = 0;
    for (std::int64_t i = 0; i < count_; ++i) out += steps_[i];
    return out;
}

Array Samples::mask() const {
    const std::int64_t shape[] = {count_};
    Array out = Array::empty(shape, Dtype::boolean);
    std::uint8_t* const to = out.as<std::uint8_t>().data();
    const std::uint8_t* const mask = mask_;
    if (stride_ == 1)
        for (std::int64_t i = 0; i < count_; ++i) to[i] = mask[i] != 0;
    else
        for (std::int64_t i = 0; i < count_; ++i) to[i] = finished(i);
    return out;
}

}  // namespace eagle::sim
