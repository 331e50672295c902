// Checks that every entry makes of what crosses the seam, before anything is touched.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "LastError.h"

namespace eagle::host {

// INVALID_ARGUMENT.
[[noreturn]] void refuse(std::string text);
// UNSUPPORTED, naming the bits of `found` that are not in `known`.
void require_flags(std::uint32_t found, std::uint32_t known, const char* what);
// One of the kind's devices, or -1 for the current one, which is 0. Returns which it is.
std::int32_t require_device(std::int32_t device);
// UNAVAILABLE with the reason when this process cannot run work at all.
void require_usable();
void require_output(const void* pointer, const char* name);

// The part of a description that its caller knows of; the rest is zero. `least` is what every caller must send.
template <class T>
T read_desc(const T* desc, const char* name, std::uint32_t least = 12) {
    if (!desc) refuse(std::string(name) + " is null; pass a description with its struct_size");
    std::uint32_t size = desc->struct_size;
    if (size < least) {
        refuse(std::string(name) + "->struct_size is " + std::to_string(size) + "; it must be at least " +
               std::to_string(least) + ", the sizeof of the caller's struct");
    }
    if (size >= sizeof(T)) return *desc;  // a caller of this minor or a later one: without a call of memcpy
    T full{};
    std::memcpy(&full, desc, size);
    return full;
}

// The output rule: as much as the caller has room for, and how much that was.
template <class T>
void write_output(T* out, T& full, const char* name) {
    require_output(out, name);
    std::uint32_t size = out->struct_size;
    if (size < 4) refuse(std::string(name) + "->struct_size is " + std::to_string(size) + "; it must be at least 4");
    full.struct_size = static_cast<std::uint32_t>(std::min<std::size_t>(size, sizeof(T)));
    std::memcpy(out, &full, full.struct_size);
}

}  // namespace eagle::host
