/* The binary interface of an artifact, version 2: what a kernel written by hand has to know. */
#ifndef AETHER_ABI_H
#define AETHER_ABI_H
#include <stdint.h>

/* A scalar a sample; the stride counts elements. */
struct plane {
    void* data;
    uint64_t samples, stride;
    int32_t device_type, device_id;
};

/* A vector or matrix a sample, and every output: component c of sample i is at c * comp_stride + i * sample_stride. */
struct vector_plane {
    void* data;
    uint64_t samples, comp_stride, sample_stride;
    int32_t device_type, device_id;
};

/* Once a file: by these two a loader knows that the file was built for its interface. */
#define AETHER_ABI_EXPORTS                                                                                           \
    __attribute__((visibility("default"))) const char eagle_abi_tag[] = "aether-abi/2";                              \
    __attribute__((visibility("default")))                                                                           \
    const uint64_t eagle_layout_sizes[5] = {sizeof(struct vector_plane), sizeof(struct plane), sizeof(struct plane), \
                                            sizeof(uint32_t), 3 * sizeof(int64_t)};

/* params[i] is the address of argument i of arg_spec; the samples [base, base + count) are this call's. */
#define AETHER_ENTRY(name)                                                                             \
    __attribute__((visibility("default"))) void name(void* const* params, int64_t base, int64_t count, \
                                                     int64_t n_samples)

#endif
