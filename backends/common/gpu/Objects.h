// Handles of the engine's objects, each of which owns its object, and the engine's one lock.
#pragma once
#include "../host/OwnedHandles.h"

namespace eagle::gpu {

// Everything that the engine remembers is touched under it. Recursive: objects that go release others.
std::recursive_mutex& engine_lock();
using Lock = std::lock_guard<std::recursive_mutex>;

template <class T>
class Objects : public host::OwnedHandles<T, engine_lock> {
  public:
    // Never destroyed: the driver may be gone when a process ends.
    static Objects& of_process() {
        static Objects& all = *new Objects;
        return all;
    }
};

}  // namespace eagle::gpu
