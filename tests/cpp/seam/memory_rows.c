/* Copies, fills and allocations that are bound by themselves. */
#include <string.h>

#include "client.h"

#define address(pointer) ((uint64_t)(uintptr_t)(pointer))

static const char* device_memory_is_aligned_and_copied(const struct backend* b) {
    char sent[1000], back[1000];
    uint64_t there = 1;
    for (int i = 0; i < 1000; ++i) sent[i] = (char)(i * 7);
    memset(back, 0, sizeof back);
    EXPECT_STATUS(b, b->sdk_device_alloc_(0, 0, 0, &there), EAGLE_BACKEND_OK);
    EXPECT(there == 0);
    EXPECT_STATUS(b, b->sdk_device_alloc_(0, sizeof sent, 0, &there), EAGLE_BACKEND_OK);
    EXPECT(there != 0 && there % 256 == 0);
    EXPECT_STATUS(b, b->memcpy_(there, address(sent), sizeof sent, EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, 0),
                  EAGLE_BACKEND_OK);
    EXPECT_STATUS(b, b->memcpy_(address(back), there, sizeof sent, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, 0),
                  EAGLE_BACKEND_OK);
    EXPECT(memcmp(sent, back, sizeof sent) == 0);
    EXPECT_STATUS(b, b->memset_device_(there, 500, 0), EAGLE_BACKEND_OK);
    EXPECT_STATUS(b, b->memcpy_device_(address(back), there, sizeof sent, 0), EAGLE_BACKEND_OK);
    EXPECT(back[0] == 0 && back[499] == 0 && back[500] == sent[500] && back[999] == sent[999]);
    EXPECT_STATUS(b, b->sdk_device_free_(0, there, 0), EAGLE_BACKEND_OK);
    EXPECT_STATUS(b, b->sdk_device_free_(0, 0, 0), EAGLE_BACKEND_OK);
    return NULL;
}

static const char* copies_check_kind_then_size_then_pointers(const struct backend* b) {
    EXPECT_STATUS(b, b->memcpy_(0, 0, 0, 4, 0), EAGLE_BACKEND_INVALID_ARGUMENT);
    EXPECT_STATUS(b, b->memcpy_(0, 0, 0, -1, 0), EAGLE_BACKEND_INVALID_ARGUMENT);
    EXPECT_STATUS(b, b->memcpy_(0, 0, 0, 3, 0), EAGLE_BACKEND_OK);
    EXPECT_STATUS(b, b->memcpy_(0, 64, 1, 3, 0), EAGLE_BACKEND_INVALID_ARGUMENT);
    EXPECT_STATUS(b, b->memcpy_device_(64, 0, 1, 0), EAGLE_BACKEND_INVALID_ARGUMENT);
    EXPECT_STATUS(b, b->memcpy_device_(0, 0, 0, 0), EAGLE_BACKEND_OK);
    EXPECT_STATUS(b, b->memset_device_(0, 0, 0), EAGLE_BACKEND_OK);
    EXPECT_STATUS(b, b->memset_device_(0, 1, 0), EAGLE_BACKEND_INVALID_ARGUMENT);
    return NULL;
}

static const char* host_memory_comes_and_goes(const struct backend* b) {
    uint64_t at = 1;
    EXPECT_STATUS(b, b->host_alloc_(0, &at), EAGLE_BACKEND_OK);
    EXPECT(at == 0);
    EXPECT_STATUS(b, b->host_alloc_(4096, &at), EAGLE_BACKEND_OK);
    EXPECT(at != 0);
    memset((void*)(uintptr_t)at, 1, 4096);
    EXPECT_STATUS(b, b->host_free_(at), EAGLE_BACKEND_OK);
    EXPECT_STATUS(b, b->host_free_(0), EAGLE_BACKEND_OK);
    EXPECT_STATUS(b, b->host_alloc_(16, NULL), EAGLE_BACKEND_INVALID_ARGUMENT);
    return NULL;
}

const struct row memory_rows[] = {
    {"device memory is aligned and copied", device_memory_is_aligned_and_copied},
    {"copies check kind, then size, then pointers", copies_check_kind_then_size_then_pointers},
    {"host memory comes and goes", host_memory_comes_and_goes},
    {NULL, NULL},
};
