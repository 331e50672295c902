// What the entries share.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../../host/Check.h"
#include "../Current.h"
#include "../Objects.h"

namespace eagle::gpu {

using host::entry;
using host::ok;
using host::read_desc;
using host::refuse;
using host::require_flags;
using host::require_output;
using host::write_output;

constexpr eagle_backend_status no_memory = EAGLE_BACKEND_SDK_OUT_OF_MEMORY;

template <class Handle>
std::uint64_t number_of(Handle h) {
    return reinterpret_cast<std::uint64_t>(h);
}

// The object of a handle, or of what was given as one; throws Failure (BAD_HANDLE).
template <class T, class Handle>
T& object_of(Handle h) {
    return Objects<T>::of_process().of(number_of(h));
}

// A new handle of the object, in *out.
template <class T, class Handle>
void hand_out(std::unique_ptr<T> object, Handle* out) {
    *out = reinterpret_cast<Handle>(Objects<T>::of_process().add(std::move(object)));
}

template <class T, class Handle>
void release(const char* call, Handle h) {
    if (!h) {
        ok();
        return;
    }
    entry(call, [&] { Objects<T>::of_process().take(number_of(h)); });
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

// A usable device is there; throws Failure (UNAVAILABLE).
inline void require_usable() { driver(); }

}  // namespace eagle::gpu
