// One thread a stream, and a seeded choice of who goes first among what the rules do not order.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <unordered_map>

#include "../../../backends/common/host/Schedule.h"
#include "../../../backends/common/host/Streams.h"

namespace eagle::sim_device {

// Work is held back until somebody waits for a stream, so that what was put on several streams meets; nobody need wait:
// after a while it runs by itself. Of what may run, the seed says who starts first, and whether others may run beside
// it. No order is kept longer than a while either, so that work which waits for other work never waits for ever.
class StreamThreads : public host::StreamRunner {
  public:
    StreamThreads();
    void prepare(host::Streams& streams, host::Stream& stream) override;
    void work_came(host::Stream& stream) noexcept override;
    void wait_for(Lock& lock, host::Streams& streams, host::Stream& stream) override;
    void run(host::Stream& stream, host::Task& task) override;
    void reset_in_child() override;

  private:
    struct Server {
        StreamThreads* threads = nullptr;
        host::Streams* streams = nullptr;
        host::Stream* stream = nullptr;
        bool has_thread = false;
        bool is_alone = false;  // what runs on it wants nobody beside it
        std::uint64_t ready_since = 0;
    };
    struct Turn {
        std::uint64_t rank;
        bool is_alone;
    };

    void serve(Server& server);
    bool may_start(Server& server);
    bool is_its_turn(const Server& server);
    bool is_held(const host::Stream& stream) const;
    Turn turn_of(const host::Stream& stream) const;

    host::Schedule schedule_;
    std::condition_variable changed_;
    std::unordered_map<host::Stream*, Server> servers_;
    int waiters_ = 0;
};

}  // namespace eagle::sim_device
