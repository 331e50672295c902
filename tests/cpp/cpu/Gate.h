// A host function that stays inside a stream until the test lets it go, run by a thread of its own.
#pragma once
#include <future>
#include <thread>

#include "Client.h"

namespace client {

class Gate {
  public:
    explicit Gate(std::uint64_t stream)
        : thread_(
              [this, stream] { EXPECT_EQ(host_func(stream, &Gate::wait, this), EAGLE_BACKEND_OK) << last_error(); }) {
        inside_.get_future().wait();
    }
    ~Gate() { open(); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    // Returns when the thread has left, and with it all that it ran on its way out.
    void open() {
        if (!thread_.joinable()) return;
        go_.set_value();
        thread_.join();
    }

  private:
    static void wait(void* raw) {
        auto* gate = static_cast<Gate*>(raw);
        gate->inside_.set_value();
        gate->go_.get_future().wait();
    }
    std::promise<void> inside_, go_;
    std::thread thread_;
};

}  // namespace client
