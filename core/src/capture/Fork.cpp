#include <eagle/Fork.h>

#include "capture/Handle.h"

namespace eagle {
namespace {

using Native = eagle_backend_fork;
using detail::native;

detail::SeamHandle make(const Backend& backend, std::int32_t device, std::uint64_t origin, std::uint64_t branches,
                        std::uint64_t marks) {
    backend.require(Group::fork);
    const auto& seam = backend.table();
    if (marks != 0) {
        detail::require_call(backend, seam.fork_mark, "eagle_backend_fork_mark");
        detail::require_call(backend, seam.fork_wait, "eagle_backend_fork_wait");
    }
    eagle_backend_fork_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = device;
    desc.origin = origin;
    desc.branch_count = branches;
    desc.waits = marks;
    Native made = nullptr;
    backend.check(seam.fork_create(&desc, &made), "fork_create");
    return {backend, made, [](const seam::Table& s, void* handle) { s.fork_release(static_cast<Native>(handle)); },
            "Fork"};
}

}  // namespace

Fork::Fork(const Backend& backend, std::int32_t device, std::uint64_t origin, std::uint64_t branches,
           std::uint64_t marks)
    : handle_(make(backend, device, origin, branches, marks)) {}

void Fork::fork() {
    const Backend& backend = handle_.backend();
    backend.check(backend.table().fork_fork(native<Native>(handle_)), "fork_fork");
}

void Fork::join() {
    const Backend& backend = handle_.backend();
    backend.check(backend.table().fork_join(native<Native>(handle_)), "fork_join");
}

std::uint64_t Fork::branch(std::uint64_t index) const {
    const Backend& backend = handle_.backend();
    std::uint64_t stream = 0;
    backend.check(backend.table().fork_branch(native<Native>(handle_), index, &stream), "fork_branch");
    return stream;
}

std::uint64_t Fork::origin() const {
    const Backend& backend = handle_.backend();
    std::uint64_t stream = 0;
    backend.check(backend.table().fork_origin(native<Native>(handle_), &stream), "fork_origin");
    return stream;
}

std::uint64_t Fork::size() const {
    const Backend& backend = handle_.backend();
    std::uint64_t size = 0;
    backend.check(backend.table().fork_size(native<Native>(handle_), &size), "fork_size");
    return size;
}

bool Fork::is_forked() const {
    const Backend& backend = handle_.backend();
    std::int32_t forked = 0;
    backend.check(backend.table().fork_forked(native<Native>(handle_), &forked), "fork_forked");
    return forked != 0;
}

std::uint64_t Fork::mark(std::uint64_t branch) {
    const Backend& backend = handle_.backend();
    detail::require_call(backend, backend.table().fork_mark, "eagle_backend_fork_mark");
    std::uint64_t mark = 0;
    backend.check(backend.table().fork_mark(native<Native>(handle_), branch, &mark), "fork_mark");
    return mark;
}

void Fork::wait(std::uint64_t branch, std::uint64_t mark) {
    const Backend& backend = handle_.backend();
    detail::require_call(backend, backend.table().fork_wait, "eagle_backend_fork_wait");
    backend.check(backend.table().fork_wait(native<Native>(handle_), branch, mark), "fork_wait");
}

}  // namespace eagle
