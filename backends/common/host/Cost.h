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
    // Rises at once and falls slowly: for launches that cannot be shared any more once they have begun, so that a batch
    // with little left to do does not keep the next one on one thread.
    void note_cautiously(double a_sample);
    // Replaces what is known, which has turned out to be wrong.
    void set(double a_sample) { ticks_.store(static_cast<float>(a_sample), std::memory_order_relaxed); }
    void forget() { set(0); }

    // The cost kept for a function's address. When the table is full, one that knows nothing.
    static Cost& of(std::uint64_t function);

  private:
    std::atomic<float> ticks_{0};
};

}  // namespace eagle::host
