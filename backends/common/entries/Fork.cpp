// The group fork.
#include "Entries.h"

using namespace eagle::engine;

namespace {

// What changes the branches, with their device current.
eagle_backend_status change(const char* name, eagle_backend_fork h, void (Branches::*step)()) {
    return entry(name, [&] {
        Branches& branches = object_of<Branches>(h);
        const OnDeviceOf on(branches);
        (branches.*step)();
    });
}

// What asks the branches for a value, written to `out`, the parameter of that name.
template <class T, class Value>
eagle_backend_status tell(const char* name, eagle_backend_fork h, T* out, const char* parameter, const Value& value) {
    return entry(name, [&] {
        Branches& branches = object_of<Branches>(h);
        require_output(out, parameter);
        *out = value(branches);
    });
}

// Far more than a program has, and few enough that to make them ends.
constexpr std::uint64_t most_branches = std::uint64_t{1} << 16, most_marks = std::uint64_t{1} << 24;

void require_at_most(std::uint64_t found, std::uint64_t most, const char* field, const char* why) {
    if (found <= most) return;
    refuse(std::string("desc->") + field + " is " + std::to_string(found) + "; it must be " + std::to_string(most) +
           " or less: " + why);
}

}  // namespace

eagle_backend_status eagle_backend_fork_create(const struct eagle_backend_fork_desc* desc, eagle_backend_fork* out) {
    return entry("eagle_backend_fork_create", [&] {
        auto d = read_desc(desc, "desc");
        require_flags(d.flags, 0, "desc");
        require_usable();
        const int device = device_of(d.device, d.origin);
        require_output(out, "out");
        require_at_most(d.branch_count, most_branches, "branch_count", "a branch is a stream");
        require_at_most(d.waits, most_marks, "waits", "a mark is an event");
        if (d.branch_count == 0) refuse("desc->branch_count is 0; it must be 1 or more");
        require_capturable(d.origin, d.device, "desc->origin");
        require_no_capture_here("making a fork");
        hand_out(make_branches(d, device), out);
    });
}

eagle_backend_status eagle_backend_fork_fork(eagle_backend_fork h) {
    return change("eagle_backend_fork_fork", h, &Branches::fork);
}

eagle_backend_status eagle_backend_fork_join(eagle_backend_fork h) {
    return change("eagle_backend_fork_join", h, &Branches::join);
}

eagle_backend_status eagle_backend_fork_branch(eagle_backend_fork h, uint64_t i, uint64_t* stream) {
    return tell("eagle_backend_fork_branch", h, stream, "stream",
                [i](Branches& branches) { return branches.stream(i); });
}

eagle_backend_status eagle_backend_fork_origin(eagle_backend_fork h, uint64_t* stream) {
    return tell("eagle_backend_fork_origin", h, stream, "stream", [](Branches& branches) { return branches.origin(); });
}

eagle_backend_status eagle_backend_fork_forked(eagle_backend_fork h, int32_t* forked) {
    return tell("eagle_backend_fork_forked", h, forked, "forked",
                [](Branches& branches) { return branches.is_forked() ? 1 : 0; });
}

eagle_backend_status eagle_backend_fork_size(eagle_backend_fork h, uint64_t* n) {
    return tell("eagle_backend_fork_size", h, n, "n", [](Branches& branches) { return branches.count(); });
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
