// What was tried to find a backend, and how that reads.
#pragma once
#include <eagle/Backend.h>

#include <span>
#include <string>
#include <vector>

namespace eagle::detail {

// Kept for the life of the process; one line for each different attempt, so that asking again and again does not grow
// it.
class AttemptRecord {
  public:
    void add(const LoadAttempt& attempt);
    const std::vector<LoadAttempt>& all() const { return attempts_; }

  private:
    std::vector<LoadAttempt> attempts_;
};

// One indented line an attempt.
std::string attempts_text(std::span<const LoadAttempt> attempts);
// The error of a search that found nothing, every attempt shown. `others`: what is there instead, or empty.
std::string not_found_text(const std::string& kind, std::span<const LoadAttempt> attempts,
                           const std::string& others = {});

}  // namespace eagle::detail
