#include "backend/Fork.h"

#include <pthread.h>

#include <atomic>

#include "backend/Registry.h"

namespace eagle::detail {
namespace {

std::atomic<std::uint64_t> forks{0};

void before_fork() { Registry::instance().lock_for_fork(); }
void in_parent() { Registry::instance().unlock_after_fork(); }
void in_child() {
    forks.fetch_add(1, std::memory_order_relaxed);
    Registry::instance().unlock_after_fork();
}

// At load: a fork before the first use of a backend counts too.
[[gnu::constructor]] void watch_forks() { pthread_atfork(before_fork, in_parent, in_child); }

}  // namespace

std::uint64_t fork_generation() noexcept { return forks.load(std::memory_order_relaxed); }

}  // namespace eagle::detail
