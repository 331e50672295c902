// Events: what one stream records and another waits for. They are reused and never given back.
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <vector>

namespace eagle::host {

struct Event {
    bool done = false;
};

// Its owner serialises everything but created().
class EventPool {
  public:
    // An event that is not done, and that nobody else has.
    Event& take();
    void give_back(Event& event) noexcept { free_.push_back(&event); }
    void take_all_back();  // in the child of a fork: who had them is not there
    std::int64_t created() const { return created_.load(std::memory_order_relaxed); }

  private:
    std::deque<Event> all_;
    std::vector<Event*> free_;  // holds all of them without growing
    std::atomic<std::int64_t> created_{0};
};

}  // namespace eagle::host
