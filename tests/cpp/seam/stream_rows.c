/* The group stream. */
#include <string.h>

#include "client.h"

static const char* a_stream_lives_and_dies(const struct backend* b) {
    struct eagle_backend_stream_desc desc = {sizeof desc, EAGLE_BACKEND_STREAM_NON_BLOCKING, 0, 0};
    eagle_backend_stream stream = NULL;
    uint64_t raw = 0;
    EXPECT_STATUS(b, b->stream_create_(&desc, &stream), EAGLE_BACKEND_OK);
    EXPECT(stream != NULL);
    EXPECT_STATUS(b, b->stream_ptr_(stream, &raw), EAGLE_BACKEND_OK);
    EXPECT(raw != 0);
    EXPECT_STATUS(b, b->stream_synchronize_(stream), EAGLE_BACKEND_OK);
    b->stream_release_(stream);
    EXPECT_STATUS(b, b->stream_synchronize_(stream), EAGLE_BACKEND_BAD_HANDLE);
    b->stream_release_(NULL);
    return NULL;
}

static const char* a_short_description_is_read_as_far_as_it_goes(const struct backend* b) {
    struct {
        struct eagle_backend_stream_desc desc;
        char behind[4080];
    } big;
    eagle_backend_stream stream = NULL;
    memset(&big, 0, sizeof big);
    big.desc.struct_size = 12;
    big.desc.reserved0 = -1; /* past what the caller says it knows */
    EXPECT_STATUS(b, b->stream_create_(&big.desc, &stream), EAGLE_BACKEND_OK);
    b->stream_release_(stream);
    big.desc.struct_size = sizeof big;
    EXPECT_STATUS(b, b->stream_create_(&big.desc, &stream), EAGLE_BACKEND_OK);
    b->stream_release_(stream);
    big.desc.struct_size = 11;
    EXPECT_STATUS(b, b->stream_create_(&big.desc, &stream), EAGLE_BACKEND_INVALID_ARGUMENT);
    return NULL;
}

static const char* checks_come_in_their_order(const struct backend* b) {
    struct eagle_backend_stream_desc desc = {sizeof desc, 0x12u, 99, 0};
    EXPECT_STATUS(b, b->stream_create_(NULL, NULL), EAGLE_BACKEND_INVALID_ARGUMENT);
    /* flags before device and output */
    EXPECT(b->stream_create_(&desc, NULL) == EAGLE_BACKEND_UNSUPPORTED);
    EXPECT(strstr(b->last_error_(), "0x12") != NULL);
    desc.flags = 0;
    EXPECT_STATUS(b, b->stream_create_(&desc, NULL), EAGLE_BACKEND_INVALID_ARGUMENT);
    desc.device = -1;
    EXPECT_STATUS(b, b->stream_create_(&desc, NULL), EAGLE_BACKEND_INVALID_ARGUMENT);
    /* handle before output */
    EXPECT_STATUS(b, b->stream_ptr_(NULL, NULL), EAGLE_BACKEND_BAD_HANDLE);
    EXPECT_STATUS(b, b->stream_synchronize_(NULL), EAGLE_BACKEND_BAD_HANDLE);
    return NULL;
}

const struct row stream_rows[] = {
    {"a stream lives and dies", a_stream_lives_and_dies},
    {"a short description is read as far as it goes", a_short_description_is_read_as_far_as_it_goes},
    {"checks come in their order", checks_come_in_their_order},
    {NULL, NULL},
};
