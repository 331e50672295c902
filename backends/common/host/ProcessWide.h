// Objects of which a process has one, made at first use and never destroyed: threads that nobody joins use them to the
// end.
//
// Not function-local statics, because of fork: a child that is born while another thread makes such an object would
// wait for that thread, which it does not have. Here a fork waits until the object is made (see Fork.cpp).
#pragma once
#include <atomic>
#include <mutex>

namespace eagle::host {

// Held while such an object is made, and over a fork. Recursive: making one may need another.
std::recursive_mutex& construction();

template <class T>
inline std::atomic<T*> process_object{nullptr};

template <class T>
T& process_wide() {
    if (T* object = process_object<T>.load(std::memory_order_acquire)) return *object;
    std::lock_guard<std::recursive_mutex> lock(construction());
    T* object = process_object<T>.load(std::memory_order_relaxed);
    if (!object) process_object<T>.store(object = new T(), std::memory_order_release);
    return *object;
}

}  // namespace eagle::host
