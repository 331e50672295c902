/* seam_client <backend file> <module file>: judges a backend of kind cpu through the seam. */
#define _GNU_SOURCE
#include "client.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char* say(const char* format, ...) {
    static char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return text;
}

static void bind_symbol(void* library, const char* name, void* slot) {
    void* address = dlsym(library, name);
    memcpy(slot, &address, sizeof address);
}

static void bind_all(struct backend* b) {
#define EAGLE_SYMBOL(group, name, since, bound) bind_symbol(b->library, "eagle_backend_" #name, &b->name##_);
#include <eagle/seam/symbols.def>
}

static int run(const struct row* rows, const struct backend* b) {
    int failed = 0;
    for (; rows->name; ++rows) {
        const char* trouble = rows->check(b);
        printf("%-6s %s%s%s\n", trouble ? "FAILED" : "ok", rows->name, trouble ? ": " : "", trouble ? trouble : "");
        failed += trouble != NULL;
    }
    return failed;
}

int main(int argc, char** argv) {
    struct backend b;
    int failed = 0;
    memset(&b, 0, sizeof b);
    if (argc != 3) {
        fprintf(stderr, "usage: %s <backend file> <module file>\n", argv[0]);
        return 2;
    }
    b.module_path = argv[2];
    b.library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!b.library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    bind_all(&b);
    failed += run(core_rows, &b);
    failed += run(stream_rows, &b);
    failed += run(memory_rows, &b);
    failed += run(exec_rows, &b);
    printf("%d failed\n", failed);
    return failed != 0;
}
