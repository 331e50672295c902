// What the entries of every engine share. An engine's Entries.h, which includes this file, is what they know of it.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "../host/Check.h"

namespace eagle::entries {

constexpr eagle_backend_status no_memory = EAGLE_BACKEND_SDK_OUT_OF_MEMORY;

template <class Handle>
std::uint64_t number_of(Handle h) {
    return reinterpret_cast<std::uint64_t>(h);
}

// The object of a handle, or of what was given as one; throws Failure (BAD_HANDLE).
template <class T, class Handle>
T& object_of(Handle h) {
    return engine::HandlesOf<T>::of_process().of(number_of(h));
}

// A new handle of the object, in *out.
template <class T, class Handle>
void hand_out(std::unique_ptr<T> object, Handle* out) {
    *out = reinterpret_cast<Handle>(engine::HandlesOf<T>::of_process().add(std::move(object)));
}

// The object is its handle's no more.
template <class T, class Handle>
std::unique_ptr<T> take(Handle h) {
    return engine::HandlesOf<T>::of_process().take(number_of(h));
}

template <class T, class Handle>
void release(const char* call, Handle h) {
    if (!h) {
        host::ok();
        return;
    }
    engine::entry(call, [&] { take<T>(h); });
}

// A copy that the caller frees with eagle_backend_free; null for none.
inline void give(const std::vector<std::uint64_t>& numbers, uint64_t** out, int64_t* count) {
    void* copy = nullptr;
    if (!numbers.empty()) {
        copy = std::malloc(numbers.size() * sizeof(std::uint64_t));
        if (!copy) throw std::bad_alloc();
        std::memcpy(copy, numbers.data(), numbers.size() * sizeof(std::uint64_t));
    }
    *out = static_cast<uint64_t*>(copy);
    *count = static_cast<int64_t>(numbers.size());
}

[[noreturn]] inline void refuse_legacy(const char* field, std::uint64_t stream) {
    host::refuse(std::string(field) + " is " + std::to_string(stream) +
                 ", the legacy default stream, which no capture takes; make a stream with eagle_backend_stream_create");
}

}  // namespace eagle::entries
