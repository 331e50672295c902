// A vendor's handles as the engine passes them on: numbers.
#pragma once
#include <cstdint>

namespace eagle::gpu {

template <class T>
T handle(std::uint64_t number) {
    return reinterpret_cast<T>(number);
}
template <class T>
std::uint64_t number(T handle) {
    return reinterpret_cast<std::uint64_t>(handle);
}

}  // namespace eagle::gpu
