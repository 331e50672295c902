// The report as TAP, version 14.
#pragma once
#include <iosfwd>

#include "Outcome.h"

namespace eagle::conformance {

class Tap {
  public:
    explicit Tap(std::ostream& out, bool require_teeth) : out_(out), require_teeth_(require_teeth) {}
    void begin(const Facts& facts, std::size_t rows);
    void tell(const Result& result);
    void end(const std::vector<Result>& results);

  private:
    std::ostream& out_;
    bool require_teeth_;
    std::size_t told_ = 0;
};

}  // namespace eagle::conformance
