// A fork that lives as long as an object, for tests.
#pragma once
#include "Recording.h"

namespace client {

class Fork {
  public:
    Fork(std::uint64_t origin, std::uint64_t branches, std::uint64_t waits = 0) {
        auto desc = make<struct eagle_backend_fork_desc>();
        desc.origin = origin;
        desc.branch_count = branches;
        desc.waits = waits;
        EXPECT_EQ(fork_create(&desc, &handle_), EAGLE_BACKEND_OK) << last_error();
    }
    ~Fork() { fork_release(handle_); }
    Fork(const Fork&) = delete;
    Fork& operator=(const Fork&) = delete;
    eagle_backend_fork handle() const { return handle_; }
    void fork() const { EXPECT_EQ(fork_fork(handle_), EAGLE_BACKEND_OK) << last_error(); }
    void join() const { EXPECT_EQ(fork_join(handle_), EAGLE_BACKEND_OK) << last_error(); }
    std::uint64_t branch(std::uint64_t i) const {
        std::uint64_t stream = 0;
        EXPECT_EQ(fork_branch(handle_, i, &stream), EAGLE_BACKEND_OK) << last_error();
        return stream;
    }
    std::uint64_t mark(std::uint64_t producer) const {
        std::uint64_t mark = ~0ull;
        EXPECT_EQ(fork_mark(handle_, producer, &mark), EAGLE_BACKEND_OK) << last_error();
        return mark;
    }
    void wait(std::uint64_t waiter, std::uint64_t mark) const {
        EXPECT_EQ(fork_wait(handle_, waiter, mark), EAGLE_BACKEND_OK) << last_error();
    }

  private:
    eagle_backend_fork handle_ = nullptr;
};

}  // namespace client
