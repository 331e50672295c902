
/* ---- group stream: whatever is put on a stream is done when the call that puts it there returns ---- */

#include <stdatomic.h>

/* A handle is a number that is given out once, and stands in its slot while the stream is alive: what comes back is
 * looked up and never followed. Slot 0 of count 0 is not used, so that no stream is 0. */
enum { most_streams = 4096 };
static _Atomic uint64_t alive[most_streams];
static _Atomic uint64_t streams_made = 1;

static eagle_backend_stream handle_of(uint64_t number) { return (eagle_backend_stream)(uintptr_t)number; }
static uint64_t number_of(eagle_backend_stream h) { return (uint64_t)(uintptr_t)h; }

static int is_alive(eagle_backend_stream h) {
    const uint64_t number = number_of(h);
    return number != 0 && alive[number % most_streams] == number;
}

static uint64_t new_number(void) {
    for (uint64_t tries = 0; tries < most_streams; ++tries) {
        const uint64_t count = atomic_fetch_add(&streams_made, 1), slot = count % most_streams;
        const uint64_t number = count * most_streams + slot;
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(&alive[slot], &none, number)) return number;
    }
    return 0;
}

/* The description is checked, then its flags, then the device, then where the handle goes (the header says so). */
eagle_backend_status eagle_backend_stream_create(const struct eagle_backend_stream_desc* desc,
                                                 eagle_backend_stream* out) {
    if (desc == NULL)
        return fail(EAGLE_BACKEND_INVALID_ARGUMENT, "eagle_backend_stream_create: desc is NULL; pass a description");
    struct eagle_backend_stream_desc known = {0}; /* what the caller's version of it has, and zeros */
    const uint32_t size = desc->struct_size;
    if (size < 12) {
        return fail(EAGLE_BACKEND_INVALID_ARGUMENT,
                    "eagle_backend_stream_create: desc->struct_size is %u; it must be at least 12", (unsigned)size);
    }
    memcpy(&known, desc, size < sizeof known ? size : sizeof known);
    const uint32_t unknown = known.flags & ~(uint32_t)EAGLE_BACKEND_STREAM_NON_BLOCKING;
    if (unknown != 0) {
        return fail(EAGLE_BACKEND_UNSUPPORTED, "eagle_backend_stream_create: desc->flags has the unknown bits 0x%x",
                    (unsigned)unknown);
    }
    if (known.device != 0 && known.device != -1) {
        return fail(EAGLE_BACKEND_INVALID_ARGUMENT,
                    "eagle_backend_stream_create: desc->device is %d; there is device 0 (and -1 is the current one)",
                    (int)known.device);
    }
    if (out == NULL) {
        return fail(EAGLE_BACKEND_INVALID_ARGUMENT,
                    "eagle_backend_stream_create: out is NULL; pass an address for the handle");
    }
    const uint64_t number = new_number();
    if (number == 0) {
        return fail(EAGLE_BACKEND_ERROR, "eagle_backend_stream_create: %d streams are alive; release some",
                    (int)most_streams);
    }
    *out = handle_of(number);
    return ok();
}

eagle_backend_status eagle_backend_stream_ptr(eagle_backend_stream h, uint64_t* stream) {
    if (!is_alive(h)) return fail(EAGLE_BACKEND_BAD_HANDLE, "eagle_backend_stream_ptr: the stream is null or released");
    if (stream == NULL) {
        return fail(EAGLE_BACKEND_INVALID_ARGUMENT,
                    "eagle_backend_stream_ptr: stream is NULL; pass an address for the number");
    }
    *stream = number_of(h);
    return ok();
}

eagle_backend_status eagle_backend_stream_synchronize(eagle_backend_stream h) {
    if (!is_alive(h)) {
        return fail(EAGLE_BACKEND_BAD_HANDLE, "eagle_backend_stream_synchronize: the stream is null or released");
    }
    return ok();
}

void eagle_backend_stream_release(eagle_backend_stream h) {
    if (is_alive(h)) alive[number_of(h) % most_streams] = 0;
    ok();
}
