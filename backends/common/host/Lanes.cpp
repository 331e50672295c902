#include "Lanes.h"

#include <algorithm>

namespace eagle::host {

void Lanes::lay(std::int64_t from, std::int64_t blocks, std::int64_t lanes) {
    n_ = std::clamp<std::int64_t>(lanes, 1, std::min(most, std::max<std::int64_t>(blocks, 1)));
    a_few_ = blocks / n_ / 4;
    for (std::int64_t i = 0; i < n_; ++i) {
        Lane& lane = lanes_[i];
        lane.came.store(false, std::memory_order_relaxed);
        for (Round round : {first, second}) {
            const std::int64_t before = round * blocks;
            lane.parts[round].end = before + blocks * (i + 1) / n_;
            lane.parts[round].next.store(std::max(before + blocks * i / n_, std::min(from, lane.parts[round].end)),
                                         std::memory_order_relaxed);
        }
    }
}

}  // namespace eagle::host
