// The group fork.
#include "Entries.h"

using namespace eagle::engine;

eagle_backend_status eagle_backend_fork_create(const struct eagle_backend_fork_desc* desc, eagle_backend_fork* out) {
    return entry("eagle_backend_fork_create", [&] {
        auto d = read_desc(desc, "desc");
        require_flags(d.flags, 0, "desc");
        require_usable();
        const int device = device_of(d.device, d.origin);
        require_output(out, "out");
        if (d.branch_count == 0) refuse("desc->branch_count is 0; it must be 1 or more");
        require_capturable(d.origin, d.device, "desc->origin");
        require_no_capture_here("making a fork");
        hand_out(make_branches(d, device), out);
    });
}

eagle_backend_status eagle_backend_fork_fork(eagle_backend_fork h) {
    return entry("eagle_backend_fork_fork", [&] {
        Branches& branches = object_of<Branches>(h);
        const OnDeviceOf on(branches);
        branches.fork();
    });
}

eagle_backend_status eagle_backend_fork_join(eagle_backend_fork h) {
    return entry("eagle_backend_fork_join", [&] {
        Branches& branches = object_of<Branches>(h);
        const OnDeviceOf on(branches);
        branches.join();
    });
}

eagle_backend_status eagle_backend_fork_branch(eagle_backend_fork h, uint64_t i, uint64_t* stream) {
    return entry("eagle_backend_fork_branch", [&] {
        Branches& branches = object_of<Branches>(h);
        require_output(stream, "stream");
        *stream = branches.stream(i);
    });
}

eagle_backend_status eagle_backend_fork_origin(eagle_backend_fork h, uint64_t* stream) {
    return entry("eagle_backend_fork_origin", [&] {
        Branches& branches = object_of<Branches>(h);
        require_output(stream, "stream");
        *stream = branches.origin();
    });
}

eagle_backend_status eagle_backend_fork_forked(eagle_backend_fork h, int32_t* forked) {
    return entry("eagle_backend_fork_forked", [&] {
        Branches& branches = object_of<Branches>(h);
        require_output(forked, "forked");
        *forked = branches.is_forked() ? 1 : 0;
    });
}

eagle_backend_status eagle_backend_fork_size(eagle_backend_fork h, uint64_t* n) {
    return entry("eagle_backend_fork_size", [&] {
        Branches& branches = object_of<Branches>(h);
        require_output(n, "n");
        *n = branches.count();
    });
}

void eagle_backend_fork_release(eagle_backend_fork h) { release<Branches>("eagle_backend_fork_release", h); }

eagle_backend_status eagle_backend_fork_mark(eagle_backend_fork h, uint64_t producer, uint64_t* mark) {
    return entry("eagle_backend_fork_mark", [&] {
        Branches& branches = object_of<Branches>(h);
        require_output(mark, "mark");
        const OnDeviceOf on(branches);
        *mark = branches.mark(producer);
    });
}

eagle_backend_status eagle_backend_fork_wait(eagle_backend_fork h, uint64_t waiter, uint64_t mark) {
    return entry("eagle_backend_fork_wait", [&] {
        Branches& branches = object_of<Branches>(h);
        const OnDeviceOf on(branches);
        branches.wait(waiter, mark);
    });
}
