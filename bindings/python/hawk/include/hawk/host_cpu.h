// The features that this file's processor must have, in the words of /proc/cpuinfo: those that the compiler was allowed
// to use. They stand in the outcome as text, so that who writes a sidecar reads what is true of the very file.
#pragma once

extern "C" {
extern const char hawk_host_cpu[];
__attribute__((used)) const char hawk_host_cpu[] =
    "hawk host cpu:"
#ifdef __SSE3__
    " pni"
#endif
#ifdef __SSSE3__
    " ssse3"
#endif
#ifdef __SSE4_1__
    " sse4_1"
#endif
#ifdef __SSE4_2__
    " sse4_2"
#endif
#ifdef __POPCNT__
    " popcnt"
#endif
#ifdef __AVX__
    " avx"
#endif
#ifdef __F16C__
    " f16c"
#endif
#ifdef __AVX2__
    " avx2"
#endif
#ifdef __FMA__
    " fma"
#endif
#ifdef __BMI__
    " bmi1"
#endif
#ifdef __BMI2__
    " bmi2"
#endif
#ifdef __LZCNT__
    " abm"
#endif
#ifdef __MOVBE__
    " movbe"
#endif
#ifdef __AVX512F__
    " avx512f"
#endif
#ifdef __AVX512CD__
    " avx512cd"
#endif
#ifdef __AVX512DQ__
    " avx512dq"
#endif
#ifdef __AVX512BW__
    " avx512bw"
#endif
#ifdef __AVX512VL__
    " avx512vl"
#endif
#ifdef __AVX512IFMA__
    " avx512ifma"
#endif
#ifdef __AVX512VBMI__
    " avx512vbmi"
#endif
#ifdef __AVX512VBMI2__
    " avx512_vbmi2"
#endif
#ifdef __AVX512VNNI__
    " avx512_vnni"
#endif
#ifdef __AVX512BITALG__
    " avx512_bitalg"
#endif
#ifdef __AVX512VPOPCNTDQ__
    " avx512_vpopcntdq"
#endif
#ifdef __AVX512BF16__
    " avx512_bf16"
#endif
#ifdef __AVX512FP16__
    " avx512_fp16"
#endif
#ifdef __AVXVNNI__
    " avx_vnni"
#endif
#ifdef __GFNI__
    " gfni"
#endif
    ;
}
