#include "Streams.h"

#include "Capture.h"
#include "Current.h"

namespace eagle::gpu {

Streams& Streams::of_process() {
    static Streams& all = *new Streams;
    return all;
}

RawStream Streams::create(int device, bool is_blocking) {
    const RawStream stream = driver().create_stream(is_blocking);
    Lock lock(engine_lock());
    known_[stream] = {device, is_blocking};
    return stream;
}

void Streams::destroy(RawStream stream) {
    {
        Lock lock(engine_lock());
        known_.erase(stream);
    }
    driver().destroy_stream(stream);
}

bool Streams::is_blocking(RawStream stream) const {
    Lock lock(engine_lock());
    auto found = known_.find(stream);
    return found == known_.end() ? driver().is_blocking(stream) : found->second.is_blocking;
}

int Streams::device_of(RawStream stream) const {
    Lock lock(engine_lock());
    auto found = known_.find(stream);
    return found == known_.end() ? -1 : found->second.device;
}

Stream::Stream(int device, bool is_blocking) : device_(device) {
    const Current current(device);
    const Relaxed relaxed;
    raw_ = Streams::of_process().create(device, is_blocking);
}

Stream::~Stream() {
    Lock lock(engine_lock());
    try {
        const auto current = current_if_possible(device_);
        const Place place = place_of(raw_);
        if (place.capture) {
            place.capture->trouble = "a stream was released while it was in the capture; nothing is kept of it";
            put_off(device_, [raw = raw_] { Streams::of_process().destroy(raw); }, place.capture);
            return;
        }
    } catch (const Failure&) {  // what the driver cannot tell does not keep it
    }
    put_off(device_, [raw = raw_] { Streams::of_process().destroy(raw); });
}

RawEvent Events::take(int device) {
    Lock lock(engine_lock());
    auto& free = free_[device];
    if (free.empty()) {
        free.reserve(free.size() + 1);
        const RawEvent event = driver().create_event();
        ++created_;
        return event;
    }
    const RawEvent event = free.back();
    free.pop_back();
    return event;
}

void Events::give_back(int device, RawEvent event) {
    Lock lock(engine_lock());
    free_[device].push_back(event);
}

std::int64_t Events::created() const {
    Lock lock(engine_lock());
    return created_;
}

Events& events_of_fences() {
    static Events& pool = *new Events;
    return pool;
}

Events& events_of_forks() {
    static Events& pool = *new Events;
    return pool;
}

}  // namespace eagle::gpu
