/* What every backend answers. */
#include <string.h>

#include "client.h"

static const char* version_is_major_1(const struct backend* b) {
    EXPECT(b->version_ && b->version_() >> 16 == EAGLE_BACKEND_VERSION_MAJOR);
    return NULL;
}

static const char* required_symbols_are_there(const struct backend* b) {
#define required_core(name) EXPECT(b->name##_ != NULL);
#define required_stream(name)
#define required_capturer(name)
#define required_captured(name)
#define required_fork(name)
#define required_conditional(name)
#define required_attribution(name)
#define required_graph(name)
#define required_launcher(name)
#define required_exec(name)
#define required_device(name)
#define required_interop(name)
#define required_filtering(name)
#define required_none(name)
#define required_sdk(name)
#define EAGLE_SYMBOL(group, name, since, bound) required_##group(name)
#include <eagle/seam/symbols.def>
    return NULL;
}

/* A set bit promises the symbols of minor 0 of its group. */
static const char* set_bits_keep_their_promise(const struct backend* b) {
    uint64_t bits = 0, bit_of_core = 0, bit_of_none = 0, bit_of_sdk = 0;
    EXPECT_STATUS(b, b->capabilities_(&bits), EAGLE_BACKEND_OK);
#define bit_of_stream EAGLE_BACKEND_CAP_STREAM
#define bit_of_capturer EAGLE_BACKEND_CAP_CAPTURER
#define bit_of_captured EAGLE_BACKEND_CAP_CAPTURED
#define bit_of_fork EAGLE_BACKEND_CAP_FORK
#define bit_of_conditional EAGLE_BACKEND_CAP_CONDITIONAL
#define bit_of_attribution EAGLE_BACKEND_CAP_ATTRIBUTION
#define bit_of_graph EAGLE_BACKEND_CAP_GRAPH
#define bit_of_launcher EAGLE_BACKEND_CAP_LAUNCHER
#define bit_of_exec EAGLE_BACKEND_CAP_EXEC
#define bit_of_device EAGLE_BACKEND_CAP_DEVICE
#define bit_of_interop EAGLE_BACKEND_CAP_INTEROP
#define bit_of_filtering EAGLE_BACKEND_CAP_FILTERING
#define EAGLE_SYMBOL(group, name, since, bound)    \
    if ((since) == 0 && (bits & bit_of_##group)) { \
        EXPECT(b->name##_ != NULL);                \
    }
#include <eagle/seam/symbols.def>
    return NULL;
}

static const char* build_info_obeys_its_size(const struct backend* b) {
    struct {
        struct eagle_backend_build_info info;
        char behind[832];
    } big;
    struct eagle_backend_build_info small;
    memset(&small, 0, sizeof small);
    small.struct_size = 8;
    EXPECT_STATUS(b, b->build_info_(&small), EAGLE_BACKEND_OK);
    EXPECT(small.struct_size == 8 && small.abi_version == b->version_() && small.backend_kind[0] == 0);
    memset(&big, 0, sizeof big);
    big.info.struct_size = sizeof big;
    EXPECT_STATUS(b, b->build_info_(&big.info), EAGLE_BACKEND_OK);
    EXPECT(big.info.struct_size == 192 && big.behind[0] == 0 && strcmp(big.info.backend_kind, "cpu") == 0);
    small.struct_size = 3;
    EXPECT_STATUS(b, b->build_info_(&small), EAGLE_BACKEND_INVALID_ARGUMENT);
    EXPECT_STATUS(b, b->build_info_(NULL), EAGLE_BACKEND_INVALID_ARGUMENT);
    return NULL;
}

static const char* device_types_can_be_asked_for_their_number(const struct backend* b) {
    int32_t types[4] = {-7, -7, -7, -7}, count = 0;
    EXPECT_STATUS(b, b->device_types_(NULL, 0, &count), EAGLE_BACKEND_OK);
    EXPECT(count == 1);
    EXPECT_STATUS(b, b->device_types_(types, 4, &count), EAGLE_BACKEND_OK);
    EXPECT(count == 1 && types[0] == 1 && types[1] == -7);
    EXPECT_STATUS(b, b->device_types_(NULL, 2, &count), EAGLE_BACKEND_INVALID_ARGUMENT);
    EXPECT_STATUS(b, b->device_types_(types, -1, &count), EAGLE_BACKEND_INVALID_ARGUMENT);
    EXPECT_STATUS(b, b->device_types_(types, 4, NULL), EAGLE_BACKEND_INVALID_ARGUMENT);
    return NULL;
}

static const char* success_clears_the_last_error(const struct backend* b) {
    uint64_t bits;
    EXPECT(b->capabilities_(NULL) == EAGLE_BACKEND_INVALID_ARGUMENT);
    EXPECT(strstr(b->last_error_(), "groups is null") != NULL);
    EXPECT(b->capabilities_(&bits) == EAGLE_BACKEND_OK);
    EXPECT(strcmp(b->last_error_(), "") == 0);
    b->free_(NULL);
    EXPECT_STATUS(b, b->probe_(), EAGLE_BACKEND_OK);
    return NULL;
}

const struct row core_rows[] = {
    {"version is major 1", version_is_major_1},
    {"required symbols are there", required_symbols_are_there},
    {"set bits keep their promise", set_bits_keep_their_promise},
    {"build_info obeys its struct_size", build_info_obeys_its_size},
    {"device_types can be asked for their number", device_types_can_be_asked_for_their_number},
    {"success clears the last error", success_clears_the_last_error},
    {NULL, NULL},
};
