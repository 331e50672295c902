// A host function that stays inside a stream until the test lets it go.
#pragma once
#include <future>
#include <utility>

#include "Client.h"

namespace client {

class Gate {
  public:
    explicit Gate(std::uint64_t stream) {
        EXPECT_EQ(host_func(stream, &Gate::wait, this), EAGLE_BACKEND_OK) << last_error();
        inside_.get_future().wait();
    }
    ~Gate() { open(); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    // Work behind it goes on; synchronize to see it done.
    void open() {
        if (std::exchange(open_, true)) return;
        go_.set_value();
        left_.get_future().wait();
    }

  private:
    static void wait(void* raw) {
        auto* gate = static_cast<Gate*>(raw);
        gate->inside_.set_value();
        gate->go_.get_future().wait();
        gate->left_.set_value();
    }
    std::promise<void> inside_, go_, left_;
    bool open_ = false;
};

}  // namespace client
