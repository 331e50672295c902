// The floating-point environment that kernels run under.
#pragma once
#include <eagle/export.h>

#include <cfenv>
#include <cstdint>

namespace eagle::marshal {

// While it lives, the calling thread rounds to nearest, keeps denormals and traps nothing; the environment it found,
// its exception flags included, is back afterwards. Stands around every call of a host entry, so that the result does
// not depend on what the process has set.
class EAGLE_API FloatEnvironment {
  public:
    FloatEnvironment();
    ~FloatEnvironment();
    FloatEnvironment(const FloatEnvironment&) = delete;
    FloatEnvironment& operator=(const FloatEnvironment&) = delete;

  private:
#if defined(__x86_64__)
    std::uint32_t mxcsr_;
    std::uint16_t x87_;
#else
    std::fenv_t found_;
#endif
};

}  // namespace eagle::marshal
