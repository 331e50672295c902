// Whether a run that makes and gives back the same things over and over keeps some of them.
#pragma once
#include <eagle/conformance/Facts.h>

#include <cstdint>
#include <string>

namespace eagle::conformance::random {

class Growth {
  public:
    Growth(const Seam& seam, const Facts& facts) : seam_(seam), facts_(facts) {}
    // What is there, once the run is warm.
    void begin();
    // "" where no more than `most_bytes` of memory and `most_events` events came since.
    std::string excess(std::uint64_t most_bytes, std::int64_t most_events) const;

  private:
    struct Amounts {
        std::uint64_t bytes = 0;  // resident, of the process
        std::int64_t events = 0;  // made for fences; 0 where the backend does not count them
    };
    Amounts now() const;
    const Seam& seam_;
    const Facts& facts_;
    Amounts first_;
};

}  // namespace eagle::conformance::random
