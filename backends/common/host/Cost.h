// What one sample of a function costs, measured at its launches and kept with the function.
#pragma once
#include <atomic>
#include <cstdint>

namespace eagle::host {

class Cost {
  public:
    // Ticks a sample; 0 = not known.
    double a_sample() const { return ticks_.load(std::memory_order_relaxed); }
    // Falls at once and rises slowly: one preemption must not make a small kernel look large.
    void note(double a_sample);
    void forget() { ticks_.store(0, std::memory_order_relaxed); }

    // The cost kept for a function's address. When the table is full, one that knows nothing.
    static Cost& of(std::uint64_t function);

  private:
    std::atomic<float> ticks_{0};
};

}  // namespace eagle::host
