// From the argument blocks of an entry to planes, and the report of a fault.
#pragma once
#include "hawk/int.h"

namespace hawk {

struct ScalarBlock {
    u8* data;
    u64 samples, stride;
    i32 device_type, device_id;
};
struct VectorBlock {
    u8* data;
    u64 samples, comp_stride, sample_stride;
    i32 device_type, device_id;
};
static_assert(sizeof(ScalarBlock) == 32 && sizeof(VectorBlock) == 40, "binary interface of an artifact");

struct plane {
    u8* data = nullptr;  // null: not supplied
    i64 stride = 0;      // bytes from one sample to the next
};

// Words of __control.
enum { StopFlag = 0, MaxSteps = 1, TotalSteps = 2, FaultCode = 3, FaultIndex = 4, FaultSample = 5, FaultLock = 7 };

// What the arguments of one call say. What a kernel's `bind` does not set is absent.
template <class K>
struct call {
    plane at[K::planes ? K::planes : 1];
    plane mask, steps;
    i64* control = nullptr;
    i64* next = nullptr;
    typename K::uni uniforms;
};

template <class T>
HAWK_FN plane plane_at(const void* block) {
    const auto& b = *(const ScalarBlock*)block;
    return {b.data, (i64)b.stride * (i64)sizeof(T)};
}
template <class T>
HAWK_FN plane component_at(const void* block, int component) {
    const auto& b = *(const VectorBlock*)block;
    return {b.data + component * (i64)b.comp_stride * (i64)sizeof(T), (i64)b.sample_stride * (i64)sizeof(T)};
}
HAWK_FN i64* control_at(const void* block) { return (i64*)((const ScalarBlock*)block)->data; }
HAWK_FN i64* cursor_at(const void* block) { return (i64*)((const ScalarBlock*)block)->data; }
template <class T>
HAWK_FN T uniform_at(const void* value) {
    return *(const T*)value;
}

HAWK_FN i64& steps_of(const plane& steps, i64 i) { return *(i64*)(steps.data + i * steps.stride); }

#ifndef HAWK_DEVICE
// The lowest faulty sample wins, whichever worker meets it first. For who holds the lock.
HAWK_FN void write_fault(i64* control, i64 code, i64 sample) {
    if (control[FaultCode] != 0 && sample >= control[FaultSample]) return;
    control[FaultCode] = code;
    control[FaultIndex] = 0;
    control[FaultSample] = sample;
}
HAWK_COLD void report_fault(i64* control, i64 code, i64 sample) {
    if (!control) return;
    while (__atomic_exchange_n(control + FaultLock, 1, __ATOMIC_ACQUIRE)) {
    }
    write_fault(control, code, sample);
    __atomic_store_n(control + FaultLock, 0, __ATOMIC_RELEASE);
}
#endif

// One element of a plane. Moves are typed by size, so that the compiler need not reload pointers after each.
HAWK_FN void move_element(int size, u8* to, const u8* from) {
    if (size == 8)
        *(double*)to = *(const double*)from;
    else if (size == 4)
        *(float*)to = *(const float*)from;
    else
        *to = *from;
}

#ifndef HAWK_DEVICE
// A bit for each zero byte of eight.
HAWK_FN u64 zero_bytes(u64 w) {
    constexpr u64 low = 0x7f7f7f7f7f7f7f7full;
    return ~(((w & low) + low) | w | low);
}
HAWK_FN u64 eight_bytes(const u8* p) {
    u64 w;
    __builtin_memcpy(&w, p, 8);
    return w;
}
#endif

}  // namespace hawk
