// Why a file is not taken as a backend.
#pragma once
#include <exception>
#include <string>
#include <utility>

namespace eagle::detail {

// Thrown while a file is opened and asked; becomes one LoadAttempt and never leaves the loader.
class Refused : public std::exception {
  public:
    // `reason`: found and needed, in words that follow the path. `policy`: number of the broken rule in
    // seam/POLICIES.md, 0 for none of them. `system`: the system's own text.
    explicit Refused(std::string reason, int policy = 0, std::string system = {})
        : reason_(std::move(reason)), system_(std::move(system)), policy_(policy) {}

    const char* what() const noexcept override { return reason_.c_str(); }
    const std::string& system() const { return system_; }
    int policy() const { return policy_; }

  private:
    std::string reason_, system_;
    int policy_;
};

}  // namespace eagle::detail
