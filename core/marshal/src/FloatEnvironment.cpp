#include <eagle/marshal/FloatEnvironment.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace eagle::marshal {

#if defined(__x86_64__)

// fegetenv and fesetenv save and load the whole x87 state, which costs more than a small kernel; two control words are
// what matters.
namespace {
constexpr std::uint32_t default_mxcsr = 0x1f80;  // all exceptions masked, round to nearest, denormals kept
constexpr std::uint16_t default_x87 = 0x037f;    // the same, extended precision

std::uint16_t x87_control() {
    std::uint16_t word = 0;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}
void set_x87_control(std::uint16_t word) { __asm__ volatile("fldcw %0" : : "m"(word)); }
}  // namespace

FloatEnvironment::FloatEnvironment() : mxcsr_(_mm_getcsr()), x87_(x87_control()) {
    if (mxcsr_ != default_mxcsr) _mm_setcsr(default_mxcsr);
    if (x87_ != default_x87) set_x87_control(default_x87);
}

FloatEnvironment::~FloatEnvironment() {
    _mm_setcsr(mxcsr_);
    if (x87_ != default_x87) set_x87_control(x87_);
}

#else

FloatEnvironment::FloatEnvironment() {
    std::fegetenv(&found_);
    std::fesetenv(FE_DFL_ENV);
}
FloatEnvironment::~FloatEnvironment() { std::fesetenv(&found_); }

#endif

}  // namespace eagle::marshal
