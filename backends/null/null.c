/* Kind null: the seven symbols that every backend has, and no group. README.md says how it grows into a real one.
 *
 * An entry checks what it was given before it touches anything, and ends in ok() or fail(), so that last_error is true
 * after every call. In a C++ source it also catches every exception: none may cross the seam.
 */
#include <eagle/seam/eagle_backend.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what this backend is ---- */

/* The name in libeagle_null and $EAGLE_BACKEND_NULL; the loader refuses a file that names another. */
static const char kind[] = "null";

/* The device code that the file carries, such as "sm_90" or "gfx942"; build_info reports it. */
static const char device_code[] = "none";

/* EAGLE_BACKEND_CAP_* of the groups that are here. A bit promises every minor-0 symbol of its group. */
static const uint64_t groups_provided = 0;

/* The text that probe gives where no device is usable; "" says that one is. Ask the driver here, at run time: the file
 * loads on machines that have neither driver nor device. */
static const char* reason_unusable(void) {
    return "kind null drives no device; it answers what is required and no more";
}

/* ---- last_error: one text a thread, without memory that could run out ---- */

static _Thread_local char last_error[512];

static eagle_backend_status ok(void) {
    last_error[0] = '\0';
    return EAGLE_BACKEND_OK;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static eagle_backend_status fail(eagle_backend_status status, const char* format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(last_error, sizeof last_error, format, values);
    va_end(values);
    return status;
}

/* ---- the seven required symbols ---- */

uint32_t eagle_backend_version(void) { return EAGLE_BACKEND_VERSION; }

const char* eagle_backend_last_error(void) { return last_error; }

/* An output struct: the caller's size bounds what is written, and learns how much that was. */
eagle_backend_status eagle_backend_build_info(struct eagle_backend_build_info* info) {
    if (info == NULL)
        return fail(EAGLE_BACKEND_INVALID_ARGUMENT, "eagle_backend_build_info: info is NULL; pass a struct");
    if (info->struct_size < sizeof info->struct_size) {
        return fail(
            EAGLE_BACKEND_INVALID_ARGUMENT,
            "eagle_backend_build_info: info->struct_size is %u; it must be at least 4, the sizeof of the struct",
            (unsigned)info->struct_size);
    }
    struct eagle_backend_build_info full = {0};
    full.struct_size = info->struct_size < sizeof full ? info->struct_size : (uint32_t)sizeof full;
    full.abi_version = EAGLE_BACKEND_VERSION;
    snprintf(full.eagle_version, sizeof full.eagle_version, "%s", EAGLE_RELEASE);
    snprintf(full.archs, sizeof full.archs, "%s", device_code);
    snprintf(full.backend_kind, sizeof full.backend_kind, "%s", kind);
    memcpy(info, &full, full.struct_size);
    return ok();
}

eagle_backend_status eagle_backend_probe(void) {
    const char* reason = reason_unusable();
    if (reason[0] != '\0') return fail(EAGLE_BACKEND_UNAVAILABLE, "eagle_backend_probe: %s", reason);
    return ok();
}

/* Frees what this library allocated for the caller, so that both ends use one allocator. */
void eagle_backend_free(void* p) {
    free(p);
    ok();
}

eagle_backend_status eagle_backend_capabilities(uint64_t* groups) {
    if (groups == NULL) {
        return fail(EAGLE_BACKEND_INVALID_ARGUMENT,
                    "eagle_backend_capabilities: groups is NULL; pass an address for the bits");
    }
    *groups = groups_provided;
    return ok();
}

/* DLPack device types, such as 10 for ROCm memory. There are none: no array finds its way here, and backend='gpu' does
 * not count this kind. With one: `if (cap > 0) types[0] = 10;` and a count of 1, whatever the cap. */
eagle_backend_status eagle_backend_device_types(int32_t* types, int32_t cap, int32_t* count) {
    if (count == NULL) {
        return fail(EAGLE_BACKEND_INVALID_ARGUMENT,
                    "eagle_backend_device_types: count is NULL; pass an address for the number");
    }
    if (cap < 0) {
        return fail(EAGLE_BACKEND_INVALID_ARGUMENT,
                    "eagle_backend_device_types: cap is %d; it must be the room in types, 0 or more", (int)cap);
    }
    if (cap > 0 && types == NULL) {
        return fail(EAGLE_BACKEND_INVALID_ARGUMENT,
                    "eagle_backend_device_types: types is NULL and cap is %d; pass room for the types, or cap 0",
                    (int)cap);
    }
    *count = 0;
    return ok();
}

/* ---- groups: each in a section of its own, or in a source of its own named after it ---- */
