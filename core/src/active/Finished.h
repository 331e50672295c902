// Which samples finished since the last look.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace eagle::active {

class Finished {
  public:
    // Samples whose byte says that they are finished already are told of never. `mask`: in the order of samples.
    Finished(std::span<const std::uint8_t> mask, bool mask_is_live);

    // Slots that have to be looked at.
    std::size_t slots() const { return slots_; }
    // The samples that finished since the last look, ascending. `mask` and `order` (slot -> sample; empty where that is
    // the same) have slots() elements; from the next look on no slot from `span` on is looked at.
    std::vector<std::int32_t> look(std::span<const std::uint8_t> mask, std::span<const std::int32_t> order,
                                   std::size_t span);

    // The samples are back in their places: all of them are looked at.
    void restored() { slots_ = told_.size(); }

  private:
    bool mask_is_live_;
    std::vector<std::uint8_t> told_;  // by sample
    std::size_t slots_;
};

}  // namespace eagle::active
