// The default floating-point environment for as long as an object lives: rounding to nearest, no exceptions raised, and
// subnormal numbers kept. Whatever the thread had, sticky flags included, is there again afterwards.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace eagle::host {

class FloatEnvironment {
  public:
    FloatEnvironment(const FloatEnvironment&) = delete;
    FloatEnvironment& operator=(const FloatEnvironment&) = delete;

#if defined(__x86_64__)
    // Loading the control register costs more than reading it, so it is loaded only where it differs.
    FloatEnvironment() : sse_(_mm_getcsr()) {
        asm volatile("fnstcw %0" : "=m"(x87_));
        if ((sse_ & ~sticky) != sse_default) _mm_setcsr(sse_default);
        if (x87_ != x87_default) load_x87(x87_default);
    }
    ~FloatEnvironment() {
        if (_mm_getcsr() != sse_) _mm_setcsr(sse_);
        if (x87_ != x87_default) load_x87(x87_);
    }

  private:
    static constexpr unsigned sticky = 0x3f, sse_default = 0x1f80;
    static constexpr unsigned short x87_default = 0x37f;
    static void load_x87(unsigned short word) { asm volatile("fldcw %0" : : "m"(word)); }
    unsigned sse_;
    unsigned short x87_;
#else
    FloatEnvironment() {
        std::fegetenv(&saved_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~FloatEnvironment() { std::fesetenv(&saved_); }

  private:
    std::fenv_t saved_;
#endif
};

}  // namespace eagle::host
