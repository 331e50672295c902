#include "EventPool.h"

namespace eagle::host {

Event& EventPool::take() {
    if (free_.empty()) {
        free_.reserve(all_.size() + 1);
        free_.push_back(&all_.emplace_back());
        created_.fetch_add(1, std::memory_order_relaxed);
    }
    Event& event = *free_.back();
    free_.pop_back();
    event.done = false;
    return event;
}

void EventPool::take_all_back() {
    free_.clear();
    for (Event& event : all_) free_.push_back(&event);
}

}  // namespace eagle::host
