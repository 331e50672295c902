/* The test kernels of eagle-conformance: one source for every kind. kernels.c includes it for kinds that run host code;
 * a .cu or .hip file of one line does for theirs. Another kind's author writes the same entries in its own language.
 *
 * Every entry takes its arguments in the order of its list, then int64_t base, count and n_samples, which the backend
 * appends; on a host kind one call does the samples [base, base + count) of its part. A body below is what happens to
 * sample i. Entries marked "once" are launched over one sample.
 */
#include <stdint.h>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define CONFORMANCE_DEVICE 1
#define CONFORMANCE_BODY static __device__ __forceinline__ void
#define CONFORMANCE_VARIABLE __device__
#define CONFORMANCE_ADD(cell, value) atomicAdd((cell), (value))
#else
#define CONFORMANCE_BODY static inline void
#ifdef __cplusplus
#define CONFORMANCE_C extern "C"
#else
#define CONFORMANCE_C
#endif
#define CONFORMANCE_EXPORT __attribute__((visibility("default")))
#define CONFORMANCE_VARIABLE CONFORMANCE_EXPORT
#define CONFORMANCE_ADD(cell, value) __atomic_fetch_add((cell), (value), __ATOMIC_RELAXED)
#endif

typedef uint32_t* cell_at;
typedef const uint32_t* const_cell_at;
typedef int64_t* integers_at;
typedef const int64_t* const_integers_at;
typedef double* reals_at;
typedef const double* const_reals_at;

/* ---- an entry from its list of arguments and its body ---- */
#ifdef CONFORMANCE_DEVICE
#define CONFORMANCE_EACH(call)                                      \
    {                                                               \
        int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < count) {                                            \
            i += base;                                              \
            call;                                                   \
        }                                                           \
        (void)n;                                                    \
    }
#define CONFORMANCE_ENTRY1(name, A, a)                                           \
    extern "C" __global__ void name(A a, int64_t base, int64_t count, int64_t n) \
        CONFORMANCE_EACH(name##_body(i, base, count, n, a))
#define CONFORMANCE_ENTRY2(name, A, a, B, b)                                          \
    extern "C" __global__ void name(A a, B b, int64_t base, int64_t count, int64_t n) \
        CONFORMANCE_EACH(name##_body(i, base, count, n, a, b))
#define CONFORMANCE_ENTRY3(name, A, a, B, b, C, c)                                         \
    extern "C" __global__ void name(A a, B b, C c, int64_t base, int64_t count, int64_t n) \
        CONFORMANCE_EACH(name##_body(i, base, count, n, a, b, c))
#else
#define CONFORMANCE_EACH(call) \
    for (int64_t i = base; i < base + count; ++i) call;
#define CONFORMANCE_HOST(name) \
    CONFORMANCE_C CONFORMANCE_EXPORT void name(void* const* params, int64_t base, int64_t count, int64_t n)
#define CONFORMANCE_ENTRY1(name, A, a)                      \
    CONFORMANCE_HOST(name) {                                \
        A a = *(const A*)params[0];                         \
        CONFORMANCE_EACH(name##_body(i, base, count, n, a)) \
    }
#define CONFORMANCE_ENTRY2(name, A, a, B, b)                   \
    CONFORMANCE_HOST(name) {                                   \
        A a = *(const A*)params[0];                            \
        B b = *(const B*)params[1];                            \
        CONFORMANCE_EACH(name##_body(i, base, count, n, a, b)) \
    }
#define CONFORMANCE_ENTRY3(name, A, a, B, b, C, c)                \
    CONFORMANCE_HOST(name) {                                      \
        A a = *(const A*)params[0];                               \
        B b = *(const B*)params[1];                               \
        C c = *(const C*)params[2];                               \
        CONFORMANCE_EACH(name##_body(i, base, count, n, a, b, c)) \
    }
#endif
#define CONFORMANCE_KERNEL1(name, A, a)                                                   \
    CONFORMANCE_BODY name##_body(int64_t i, int64_t base, int64_t count, int64_t n, A a); \
    CONFORMANCE_ENTRY1(name, A, a)                                                        \
    CONFORMANCE_BODY name##_body(int64_t i, int64_t base, int64_t count, int64_t n, A a)
#define CONFORMANCE_KERNEL2(name, A, a, B, b)                                                  \
    CONFORMANCE_BODY name##_body(int64_t i, int64_t base, int64_t count, int64_t n, A a, B b); \
    CONFORMANCE_ENTRY2(name, A, a, B, b)                                                       \
    CONFORMANCE_BODY name##_body(int64_t i, int64_t base, int64_t count, int64_t n, A a, B b)
#define CONFORMANCE_KERNEL3(name, A, a, B, b, C, c)                                                 \
    CONFORMANCE_BODY name##_body(int64_t i, int64_t base, int64_t count, int64_t n, A a, B b, C c); \
    CONFORMANCE_ENTRY3(name, A, a, B, b, C, c)                                                      \
    CONFORMANCE_BODY name##_body(int64_t i, int64_t base, int64_t count, int64_t n, A a, B b, C c)

#define CONFORMANCE_UNUSED ((void)i, (void)base, (void)count, (void)n)

/* ---- variables that sdk_module_global finds ---- */
#ifdef __cplusplus
extern "C" {
#endif
CONFORMANCE_VARIABLE int64_t conformance_tag = 7001;
CONFORMANCE_VARIABLE int32_t conformance_table[6] = {1, 2, 3, 5, 8, 13};
#ifdef __cplusplus
}
#endif

/* ---- the kernels ---- */

/* y[i] += a * x[i] */
CONFORMANCE_KERNEL3(conformance_axpy, double, a, const_reals_at, x, reals_at, y) {
    CONFORMANCE_UNUSED;
    y[i] += a * x[i];
}

/* x[i] += value */
CONFORMANCE_KERNEL2(conformance_add, int64_t, value, integers_at, x) {
    CONFORMANCE_UNUSED;
    x[i] += value;
}

/* x[i] = 2 * x[i] + value: the order of two of them shows in the result. */
CONFORMANCE_KERNEL2(conformance_twice_and, int64_t, value, integers_at, x) {
    CONFORMANCE_UNUSED;
    x[i] = 2 * x[i] + value;
}

/* x[i] = value */
CONFORMANCE_KERNEL2(conformance_fill, int64_t, value, integers_at, x) {
    CONFORMANCE_UNUSED;
    x[i] = value;
}

/* to[i] = from[i] */
CONFORMANCE_KERNEL2(conformance_copy, const_integers_at, from, integers_at, to) {
    CONFORMANCE_UNUSED;
    to[i] = from[i];
}

/* to[i] = from[i] + to[i]: two sources joined. */
CONFORMANCE_KERNEL2(conformance_gather, const_integers_at, from, integers_at, to) {
    CONFORMANCE_UNUSED;
    to[i] += from[i];
}

/* out[i] = i + n_samples: which sample a thread has, and what it is told of the whole. */
CONFORMANCE_KERNEL1(conformance_index, integers_at, out) {
    CONFORMANCE_UNUSED;
    out[i] = i + n;
}

/* out = {base, count, n_samples}; once. */
CONFORMANCE_KERNEL1(conformance_told, integers_at, out) {
    CONFORMANCE_UNUSED;
    out[0] = base;
    out[1] = count;
    out[2] = n;
}

/* *cell += 1 for every sample, atomically. */
CONFORMANCE_KERNEL1(conformance_count, cell_at, cell) {
    CONFORMANCE_UNUSED;
    CONFORMANCE_ADD(cell, 1u);
}

/* *cell += 1; once. */
CONFORMANCE_KERNEL1(conformance_increment, cell_at, cell) {
    CONFORMANCE_UNUSED;
    *cell += 1;
}

/* *cell = value; once. */
CONFORMANCE_KERNEL2(conformance_set, uint32_t, value, cell_at, cell) {
    CONFORMANCE_UNUSED;
    *cell = value;
}

/* *answer = *cell >= bound; once. */
CONFORMANCE_KERNEL3(conformance_reached, uint32_t, bound, const_cell_at, cell, cell_at, answer) {
    CONFORMANCE_UNUSED;
    *answer = *cell >= bound ? 1u : 0u;
}

/* log[(*cursor)++] = *value; once. */
CONFORMANCE_KERNEL3(conformance_note, const_cell_at, value, cell_at, log, cell_at, cursor) {
    CONFORMANCE_UNUSED;
    log[*cursor] = *value;
    *cursor += 1;
}

/* Occupies the device: `steps` dependent steps, whose result is written so that none is left out; once. */
CONFORMANCE_KERNEL2(conformance_occupy, int64_t, steps, integers_at, out) {
    uint64_t x = (uint64_t)i + 1;
    (void)base, (void)count, (void)n;
    for (int64_t k = 0; k < steps; ++k) x = x * 3 + (x >> 7);
    out[0] = (int64_t)(x >> 1);
}

/* ---- kernels of conditionals and of the random programs ---- */

typedef uint64_t* words_at;
typedef const uint64_t* const_words_at;

/* *cell falls by one, down to 0; once. */
CONFORMANCE_KERNEL1(conformance_fall, cell_at, cell) {
    CONFORMANCE_UNUSED;
    if (*cell > 0) *cell -= 1;
}

/* *cell = words[0] % modulus; once. */
CONFORMANCE_KERNEL3(conformance_decide, uint32_t, modulus, const_words_at, words, cell_at, cell) {
    CONFORMANCE_UNUSED;
    *cell = (uint32_t)(words[0] % modulus);
}

/* z[i] = 3 * z[i] + 5 * x[i] + k, modulo 2^64 */
CONFORMANCE_KERNEL3(conformance_mix, uint64_t, k, const_words_at, x, words_at, z) {
    CONFORMANCE_UNUSED;
    z[i] = 3 * z[i] + 5 * x[i] + k;
}

/* z[i] = 3 * z[i] + *cell, modulo 2^64 */
CONFORMANCE_KERNEL2(conformance_mix_cell, const_cell_at, cell, words_at, z) {
    CONFORMANCE_UNUSED;
    z[i] = 3 * z[i] + *cell;
}
