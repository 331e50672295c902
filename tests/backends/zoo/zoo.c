/* Backends for the loader to judge: healthy by default, and each macro breaks one thing. */
#include <eagle/seam/eagle_backend.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#ifndef ZOO_KIND
#define ZOO_KIND "zoo"
#endif
#ifndef ZOO_VERSION
#define ZOO_VERSION EAGLE_BACKEND_VERSION
#endif
#ifndef ZOO_CAPABILITIES
#define ZOO_CAPABILITIES 0
#endif
#ifndef ZOO_TYPE
#define ZOO_TYPE 12
#endif
/* What device_types says when it is asked for the number, and when it is asked for the types. */
#ifndef ZOO_COUNT
#define ZOO_COUNT 1
#endif
#ifndef ZOO_COUNT_AGAIN
#define ZOO_COUNT_AGAIN ZOO_COUNT
#endif
/* How many types it writes, whatever its cap. */
#ifndef ZOO_WRITES
#define ZOO_WRITES 1
#endif
#ifndef ZOO_LAST_ERROR
#define ZOO_LAST_ERROR "the keeper said no"
#endif
#ifndef ZOO_PROBE
#define ZOO_PROBE EAGLE_BACKEND_OK
#endif
#ifndef ZOO_CAPABILITIES_STATUS
#define ZOO_CAPABILITIES_STATUS EAGLE_BACKEND_OK
#endif
/* The number of bytes that this build_info has. */
#ifndef ZOO_INFO_BYTES
#define ZOO_INFO_BYTES sizeof(struct eagle_backend_build_info)
#endif

#ifdef ZOO_NOTHING
int zoo_holds_nothing;
#else

uint32_t eagle_backend_version(void) { return ZOO_VERSION; }

const char* eagle_backend_last_error(void) { return ZOO_LAST_ERROR; }

eagle_backend_status eagle_backend_build_info(struct eagle_backend_build_info* info) {
    struct {
        struct eagle_backend_build_info known;
        char appended[64];
    } own;
    memset(&own, 0, sizeof own);
    const size_t room = info->struct_size < ZOO_INFO_BYTES ? info->struct_size : ZOO_INFO_BYTES;
    own.known.struct_size = (uint32_t)room;
    own.known.abi_version = ZOO_VERSION;
    strcpy(own.known.eagle_version, "9.8.7");
    strcpy(own.known.archs, "feathers");
    strcpy(own.known.backend_kind, ZOO_KIND);
    memset(own.appended, 'a', sizeof own.appended);
    memcpy(info, &own, room);
    return EAGLE_BACKEND_OK;
}

#ifndef ZOO_WITHOUT_PROBE
eagle_backend_status eagle_backend_probe(void) { return ZOO_PROBE; }
#endif

#ifdef ZOO_BORROWS_FREE
/* The system finds eagle_backend_free in the library that this one is linked to. */
#else
void eagle_backend_free(void* p) { (void)p; }
#endif

eagle_backend_status eagle_backend_capabilities(uint64_t* groups) {
    *groups = ZOO_CAPABILITIES;
    return ZOO_CAPABILITIES_STATUS;
}

eagle_backend_status eagle_backend_device_types(int32_t* types, int32_t cap, int32_t* count) {
    (void)cap;
    if (types == NULL) {
        *count = ZOO_COUNT;
        return EAGLE_BACKEND_OK;
    }
    for (int32_t i = 0; i < ZOO_WRITES; ++i) types[i] = ZOO_TYPE;
    *count = ZOO_COUNT_AGAIN;
    return EAGLE_BACKEND_OK;
}

#ifdef ZOO_HALF_A_STREAM
eagle_backend_status eagle_backend_stream_create(const struct eagle_backend_stream_desc* desc,
                                                 eagle_backend_stream* out) {
    (void)desc;
    (void)out;
    return EAGLE_BACKEND_UNSUPPORTED;
}
#endif

#ifdef ZOO_STREAM
static pid_t zoo_keeper; /* the process that made the stream */

eagle_backend_status eagle_backend_stream_create(const struct eagle_backend_stream_desc* desc,
                                                 eagle_backend_stream* out) {
    (void)desc;
    zoo_keeper = getpid();
    *out = (eagle_backend_stream)&zoo_keeper;
    return EAGLE_BACKEND_OK;
}

eagle_backend_status eagle_backend_stream_ptr(eagle_backend_stream h, uint64_t* stream) {
    *stream = (uint64_t)h;
    return EAGLE_BACKEND_OK;
}

eagle_backend_status eagle_backend_stream_synchronize(eagle_backend_stream h) {
    (void)h;
    return EAGLE_BACKEND_OK;
}

/* As a device does it: a release in another process than the maker's ends badly. */
void eagle_backend_stream_release(eagle_backend_stream h) {
    (void)h;
    if (getpid() != zoo_keeper) _exit(9);
}
#endif

#ifdef ZOO_DEVICES
#ifndef ZOO_WITHOUT_SDK_VERSION
uint32_t eagle_backend_sdk_version(void) { return EAGLE_BACKEND_SDK_VERSION; }
#endif

eagle_backend_status eagle_backend_sdk_device_count(int32_t* count) {
    *count = ZOO_DEVICES;
    return EAGLE_BACKEND_OK;
}
#endif

#ifdef ZOO_NEEDS_MORE
extern int zoo_that_nobody_has(void);
eagle_backend_status eagle_backend_host_free(uint64_t address) {
    return (eagle_backend_status)(address + (uint64_t)zoo_that_nobody_has());
}
#endif

#endif
