// Handles of the engine's objects, each of which owns its object, and the engine's one lock.
#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "../host/Handles.h"
#include "../host/LastError.h"

namespace eagle::gpu {

// Everything that the engine remembers is touched under it. Recursive: objects that go release others.
std::recursive_mutex& engine_lock();
using Lock = std::lock_guard<std::recursive_mutex>;

// T has `static constexpr std::uint8_t tag` and `static constexpr char name[]`.
template <class T>
class Objects {
  public:
    // Never destroyed: the driver may be gone when a process ends.
    static Objects& of_process() {
        static Objects& all = *new Objects;
        return all;
    }

    std::uint64_t add(std::unique_ptr<T> object) {
        Lock lock(engine_lock());
        std::uint64_t handle = handles_.add();
        if (handle == 0) {
            throw host::Failure(EAGLE_BACKEND_ERROR,
                                "2^20 handles of type " + std::string(T::name) + " are alive; release some");
        }
        *handles_.find(handle) = std::move(object);
        return handle;
    }
    // Throw Failure (BAD_HANDLE).
    T& of(std::uint64_t handle) const {
        if (std::unique_ptr<T>* place = handles_.find(handle)) return **place;
        refuse(handle);
    }
    std::unique_ptr<T> take(std::uint64_t handle) {
        Lock lock(engine_lock());
        std::unique_ptr<T>* place = handles_.find(handle);
        if (!place) refuse(handle);
        handles_.kill(handle);
        std::unique_ptr<T> object = std::move(*place);
        handles_.reuse(handle);
        return object;
    }

  private:
    [[noreturn]] static void refuse(std::uint64_t handle) {
        std::string name = T::name;
        throw host::Failure(EAGLE_BACKEND_BAD_HANDLE,
                            handle == 0 ? "the " + name + " is null; make one first"
                                        : "the " + name + " was released or consumed, or is none of this backend's");
    }
    host::Handles<std::unique_ptr<T>> handles_{T::tag};
};

}  // namespace eagle::gpu
