#include "active/Finished.h"

#include <algorithm>

namespace eagle::active {

Finished::Finished(std::span<const std::uint8_t> mask, bool mask_is_live)
    : mask_is_live_(mask_is_live), told_(mask.begin(), mask.end()), slots_(mask.size()) {
    for (std::uint8_t& byte : told_) byte = static_cast<std::uint8_t>((byte != 0) != mask_is_live);
}

std::vector<std::int32_t> Finished::look(std::span<const std::uint8_t> mask, std::span<const std::int32_t> order,
                                         std::size_t span) {
    std::vector<std::int32_t> found;
    for (std::size_t slot = 0; slot < slots_; ++slot) {
        if ((mask[slot] != 0) == mask_is_live_) continue;
        const auto sample = order.empty() ? static_cast<std::int32_t>(slot) : order[slot];
        if (told_[static_cast<std::size_t>(sample)] != 0) continue;
        told_[static_cast<std::size_t>(sample)] = 1;
        found.push_back(sample);
    }
    std::sort(found.begin(), found.end());
    slots_ = std::min(slots_, span);
    return found;
}

}  // namespace eagle::active
