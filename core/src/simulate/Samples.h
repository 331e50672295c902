// What the samples of a batch say of themselves: their mask and their steps.
#pragma once
#include <eagle/Array.h>

#include <cstdint>

namespace eagle::sim {

struct Tally {
    std::int64_t done = 0;   // finished or at the cap
    std::int64_t steps = 0;  // of all samples
};

// Whom progress is told of.
class Counted {
  public:
    virtual ~Counted() = default;
    virtual std::int64_t count() const = 0;
    virtual Tally tally(std::int64_t cap) const = 0;
};

class Samples final : public Counted {
  public:
    Samples(const std::uint8_t* mask, std::int64_t stride, const std::int64_t* steps, std::int64_t count)
        : mask_(mask), stride_(stride), steps_(steps), count_(count) {}

    std::int64_t count() const override { return count_; }
    bool finished(std::int64_t i) const { return mask_[i * stride_] != 0; }
    // The first sample from `from` on that is neither finished nor at `cap`, or count().
    std::int64_t first_live(std::int64_t from, std::int64_t cap) const {
        while (from < count_ && (finished(from) || steps_[from] >= cap)) ++from;
        return from;
    }
    Tally tally(std::int64_t cap) const override;
    std::int64_t finished_count() const;
    std::int64_t total_steps() const;
    // The mask as an array of its own, 0 or 1.
    Array mask() const;

  private:
    const std::uint8_t* mask_;
    std::int64_t stride_;  // elements
    const std::int64_t* steps_;
    std::int64_t count_;
};

}  // namespace eagle::sim
