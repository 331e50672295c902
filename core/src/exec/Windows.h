// How many samples to launch at a time when somebody wants to be asked in between.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>

namespace eagle::exec {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Finds by doubling the number of samples that takes from 6 to 25 ms.
class WindowSize {
  public:
    std::int64_t samples() const { return samples_; }
    void note(std::int64_t samples, double seconds) {
        if (samples < samples_ && seconds < longest) return;  // the rest of a range says little
        if (seconds < 0.05 * longest)
            samples_ *= 8;
        else if (seconds < 0.25 * longest)
            samples_ *= 2;
        else if (seconds > longest)
            samples_ = static_cast<std::int64_t>(static_cast<double>(samples) * 0.5 * longest / seconds);
        samples_ = std::clamp<std::int64_t>(samples_ / grain * grain, grain, std::int64_t{1'000'000'000'000});
    }

  private:
    static constexpr double longest = 0.025;
    static constexpr std::int64_t grain = 64;  // whole vectors, whole cache lines
    std::int64_t samples_ = 1024;
};

}  // namespace eagle::exec
