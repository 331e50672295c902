/* Modules and launches. */
#include <stdlib.h>
#include <string.h>

#include "client.h"

enum { samples = 10000 };

static const char* load(const struct backend* b, uint64_t* module) {
    struct eagle_backend_sdk_module_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.struct_size = sizeof desc;
    desc.path = b->module_path;
    EXPECT_STATUS(b, b->sdk_module_load_(&desc, module), EAGLE_BACKEND_OK);
    return NULL;
}

static const char* globals_of_a_module_are_read(const struct backend* b) {
    uint64_t module = 0, at = 0, bytes = 0;
    const char* trouble = load(b, &module);
    if (trouble) return trouble;
    EXPECT_STATUS(b, b->sdk_module_global_(module, "eagle_abi_tag", &at, &bytes), EAGLE_BACKEND_OK);
    EXPECT(bytes == 8 && *(const int64_t*)(uintptr_t)at == 7001);
    EXPECT_STATUS(b, b->sdk_module_global_(module, "sizes", &at, &bytes), EAGLE_BACKEND_OK);
    EXPECT(bytes == 24 && ((const int32_t*)(uintptr_t)at)[5] == 13);
    EXPECT(b->sdk_module_global_(module, "no_such_thing", &at, &bytes) == EAGLE_BACKEND_INVALID_ARGUMENT);
    EXPECT(strstr(b->last_error_(), "no_such_thing") != NULL);
    EXPECT_STATUS(b, b->sdk_module_unload_(module), EAGLE_BACKEND_OK);
    EXPECT_STATUS(b, b->sdk_module_unload_(module), EAGLE_BACKEND_BAD_HANDLE);
    return NULL;
}

/* The launch of axpi over [base, base + count) of `samples`. */
static const char* launch_axpi(const struct backend* b, uint64_t function, uint64_t stream, int64_t base, int64_t count,
                               double* x, double* y) {
    double a = 3;
    uint64_t params[3] = {(uintptr_t)&a, (uintptr_t)&x, (uintptr_t)&y}, sizes[3] = {sizeof a, sizeof x, sizeof y};
    struct eagle_backend_launch_desc desc = {sizeof desc, 0, 0,    256,   function, params,
                                             sizes,       3, base, count, samples,  stream};
    int32_t launched = -1;
    EXPECT_STATUS(b, b->run_device_(&desc, &launched), EAGLE_BACKEND_OK);
    EXPECT(launched == (count > 0));
    return NULL;
}

static const char* check_axpi(const struct backend* b, uint64_t stream, eagle_backend_stream handle, uint64_t function,
                              double* x, double* y) {
    const char* trouble;
    for (int i = 0; i < samples; ++i) x[i] = i % 17, y[i] = -1;
    if ((trouble = launch_axpi(b, function, stream, 100, 9000, x, y))) return trouble;
    if ((trouble = launch_axpi(b, function, stream, 0, 0, x, y))) return trouble;
    if ((trouble = launch_axpi(b, function, stream, 0, -5, x, y))) return trouble;
    EXPECT_STATUS(b, b->stream_synchronize_(handle), EAGLE_BACKEND_OK);
    for (int i = 0; i < samples; ++i) {
        double wanted = i < 100 || i >= 9100 ? -1 : 3 * (i % 17) + i;
        if (y[i] != wanted) return say("sample %d is %g, not %g", i, y[i], wanted);
    }
    return NULL;
}

static const char* a_kernel_does_its_range_and_no_more(const struct backend* b) {
    struct eagle_backend_stream_desc desc = {sizeof desc, 0, 0, 0};
    double* x = malloc(sizeof(double) * samples);
    double* y = malloc(sizeof(double) * samples);
    eagle_backend_stream handle = NULL;
    uint64_t module = 0, function = 0, stream = 0;
    const char* trouble = load(b, &module);
    if (!trouble && b->sdk_module_function_(module, "axpi", &function)) trouble = say("axpi: %s", b->last_error_());
    if (!trouble && b->stream_create_(&desc, &handle)) trouble = say("stream: %s", b->last_error_());
    if (!trouble && b->stream_ptr_(handle, &stream)) trouble = say("stream: %s", b->last_error_());
    if (!trouble) trouble = check_axpi(b, stream, handle, function, x, y);
    b->stream_release_(handle);
    free(x);
    free(y);
    if (trouble) return trouble;
    EXPECT_STATUS(b, b->sdk_module_unload_(module), EAGLE_BACKEND_OK);
    return NULL;
}

static const char* a_grid_calls_the_whole_range_that_often(const struct backend* b) {
    static int32_t seen[samples];
    int64_t cursor = 50, calls = 0, *cursor_at = &cursor, *calls_at = &calls;
    int32_t* seen_at = seen;
    uint64_t params[3] = {(uintptr_t)&cursor_at, (uintptr_t)&seen_at, (uintptr_t)&calls_at};
    struct eagle_backend_launch_desc desc = {sizeof desc, 0, 0, 1, 0, params, NULL, 3, 50, 9000, samples, 0};
    struct eagle_backend_sdk_launch_options options = {sizeof options, 0, 5, 0, 0, 0};
    uint64_t module = 0;
    int32_t launched = 0;
    const char* trouble = load(b, &module);
    if (trouble) return trouble;
    EXPECT_STATUS(b, b->sdk_module_function_(module, "draw", &desc.function), EAGLE_BACKEND_OK);
    EXPECT_STATUS(b, b->sdk_launch_(&desc, &options, &launched), EAGLE_BACKEND_OK);
    EXPECT(launched == 1 && calls == 5);
    for (int i = 0; i < samples; ++i) {
        if (seen[i] != (i >= 50 && i < 9050)) return say("sample %d was drawn %d times", i, seen[i]);
    }
    EXPECT_STATUS(b, b->sdk_module_unload_(module), EAGLE_BACKEND_OK);
    return NULL;
}

static const char* a_kernel_is_told_base_count_and_size(const struct backend* b) {
    int64_t out[3] = {-1, -1, -1}, *out_at = out;
    uint64_t params[1] = {(uintptr_t)&out_at}, module = 0;
    struct eagle_backend_launch_desc desc = {sizeof desc, 0, -1, 32, 0, params, NULL, 1, 7, 5, 1234, 0};
    struct eagle_backend_sdk_launch_options options = {sizeof options, 0, 0, 0, 1, 0};
    int32_t launched = 0;
    const char* trouble = load(b, &module);
    if (trouble) return trouble;
    EXPECT_STATUS(b, b->sdk_module_function_(module, "told", &desc.function), EAGLE_BACKEND_OK);
    EXPECT_STATUS(b, b->sdk_launch_(&desc, &options, &launched), EAGLE_BACKEND_OK);
    EXPECT(out[0] == 7 && out[1] == 5 && out[2] == 1234);
    EXPECT_STATUS(b, b->sdk_module_unload_(module), EAGLE_BACKEND_OK);
    return NULL;
}

const struct row exec_rows[] = {
    {"globals of a module are read", globals_of_a_module_are_read},
    {"a kernel does its range and no more", a_kernel_does_its_range_and_no_more},
    {"a grid calls the whole range that often", a_grid_calls_the_whole_range_that_often},
    {"a kernel is told base, count and n_samples", a_kernel_is_told_base_count_and_size},
    {NULL, NULL},
};
