/* The least backend that there is, with one flaw at choice. */
#include <eagle/seam/eagle_backend.h>
#include <stdlib.h>
#include <string.h>

uint32_t eagle_backend_version(void) { return EAGLE_BACKEND_VERSION; }
const char* eagle_backend_last_error(void) { return ""; }
eagle_backend_status eagle_backend_build_info(struct eagle_backend_build_info* info) {
    strcpy(info->backend_kind, "least");
    return EAGLE_BACKEND_OK;
}
#ifndef WITHOUT_PROBE
eagle_backend_status eagle_backend_probe(void) { return EAGLE_BACKEND_OK; }
#endif
void eagle_backend_free(void* p) { free(p); }
eagle_backend_status eagle_backend_capabilities(uint64_t* groups) {
    *groups = 0;
    return EAGLE_BACKEND_OK;
}
eagle_backend_status eagle_backend_device_types(int32_t* types, int32_t cap, int32_t* count) {
    (void)types;
    (void)cap;
    *count = 0;
    return EAGLE_BACKEND_OK;
}

#ifdef WITH_EXTRA
__attribute__((visibility("default"))) int eagle_backend_stream_creat(void) { return 0; }
#endif
#ifdef WITH_EXPERIMENTAL
__attribute__((visibility("default"))) int eagle_backend_x_trial(void) { return 0; }
#endif
/* Not of the prefix: the version script hides it, whatever its own visibility says. */
__attribute__((visibility("default"))) int inner_of_the_backend(void) { return 0; }
