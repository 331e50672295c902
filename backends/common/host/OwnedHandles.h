// Handles that own their objects, under an engine's lock.
#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "Handles.h"
#include "LastError.h"

namespace eagle::host {

// T has `static constexpr std::uint8_t tag` and `static constexpr char name[]`.
template <class T, std::recursive_mutex& (*engine_lock)()>
class OwnedHandles {
  public:
    std::uint64_t add(std::unique_ptr<T> object) {
        std::lock_guard<std::recursive_mutex> lock(engine_lock());
        std::uint64_t handle = handles_.add();
        if (handle == 0) {
            throw Failure(EAGLE_BACKEND_ERROR,
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
        std::lock_guard<std::recursive_mutex> lock(engine_lock());
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
        throw Failure(EAGLE_BACKEND_BAD_HANDLE,
                      handle == 0 ? "the " + name + " is null; make one first"
                                  : "the " + name + " was released or consumed, or is none of this backend's");
    }
    Handles<std::unique_ptr<T>> handles_{T::tag};
};

}  // namespace eagle::host
