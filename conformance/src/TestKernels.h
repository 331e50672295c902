// The test kernels of a run, loaded at the first use and kept.
#pragma once
#include <eagle/conformance/Seam.h>

#include <cstdint>
#include <string>

namespace eagle::conformance {

class TestKernels {
  public:
    TestKernels(const Seam& seam, std::string path, std::int32_t device);
    // Why they cannot be used here; "" where they can.
    std::string trouble();
    // The handle of an entry; 0 where there is none, with the backend's words in `why`.
    std::uint64_t entry(const std::string& name, std::string& why);

  private:
    std::string load();
    const Seam& seam_;
    std::string path_, trouble_;
    std::int32_t device_;
    std::uint64_t module_ = 0;
    bool tried_ = false;
};

}  // namespace eagle::conformance
