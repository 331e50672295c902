/* A backend seen through the seam alone: its file is opened, its symbols are bound by name, and nothing else is known
 * of it. A row is a function that returns null when the backend does what it checks, or a text that says what it did.
 */
#ifndef EAGLE_TESTS_SEAM_CLIENT_H
#define EAGLE_TESTS_SEAM_CLIENT_H

#include <eagle/seam/eagle_backend.h>

struct backend {
    void* library;
    const char* module_path; /* kernels.c as this kind's device code */
/* One pointer a symbol; null where the backend has none. __typeof__ keeps the header the only place of the signatures.
 */
#define EAGLE_SYMBOL(group, name, since, bound) __typeof__(&eagle_backend_##name) name##_;
#include <eagle/seam/symbols.def>
};

typedef const char* (*row_fn)(const struct backend*);
struct row {
    const char* name;
    row_fn check;
};

extern const struct row core_rows[], stream_rows[], exec_rows[], memory_rows[];

/* Keeps a formatted text until the next call. */
const char* say(const char* format, ...) __attribute__((format(printf, 1, 2)));

#define EXPECT(condition) \
    if (!(condition)) return say("%s:%d: not so: %s", __FILE__, __LINE__, #condition)
/* The call must give that status, and a reason exactly when it is not OK. */
#define EXPECT_STATUS(b, call, wanted)                                                                             \
    do {                                                                                                           \
        int32_t found_ = (call);                                                                                   \
        const char* text_ = (b)->last_error_();                                                                    \
        if (found_ != (wanted))                                                                                    \
            return say("%s:%d: %s gave status %d (%s), not %d", __FILE__, __LINE__, #call, found_, text_,          \
                       (int)(wanted));                                                                             \
        if ((found_ == 0) != (text_[0] == 0))                                                                      \
            return say("%s:%d: %s gave status %d with last_error '%s'", __FILE__, __LINE__, #call, found_, text_); \
    } while (0)

#endif
