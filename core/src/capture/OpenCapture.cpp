#include "capture/OpenCapture.h"

#include <vector>

namespace eagle::detail {
namespace {

struct Waiting {
    Backend backend;
    OpenCapture::Free free;
    std::uint64_t value, extra;
};

thread_local int open_here = 0;
// Thread-local, so that it dies with its thread; a capture cannot outlive that either.
thread_local std::vector<Waiting> waiting;

void free_now(const Backend& backend, OpenCapture::Free free, std::uint64_t value, std::uint64_t extra) noexcept {
    // What a parent made on a device is left alone: the process that made it frees it.
    if (backend.usable_here()) free(backend, value, extra);
}

}  // namespace

void OpenCapture::opened() noexcept { ++open_here; }

bool OpenCapture::is_open() noexcept { return open_here > 0; }

void OpenCapture::closed() noexcept {
    if (--open_here > 0) return;
    const std::vector<Waiting> due = std::exchange(waiting, {});
    for (const Waiting& one : due) free_now(one.backend, one.free, one.value, one.extra);
}

void OpenCapture::free_when_closed(const Backend& backend, Free free, std::uint64_t value,
                                   std::uint64_t extra) noexcept {
    if (open_here == 0) return free_now(backend, free, value, extra);
    try {
        waiting.push_back({backend, free, value, extra});
    } catch (...) {
        free_now(backend, free, value, extra);  // no memory for a note: a capture that fails is better than a leak
    }
}

}  // namespace eagle::detail
