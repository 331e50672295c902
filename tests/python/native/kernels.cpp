// Kernels written by hand against the binary interface of an artifact, to call through hawk._native.
#include <cstdint>
#include <ctime>

namespace {

struct VectorView {
    void* data;
    std::uint64_t samples, comp_stride, sample_stride;
    std::int32_t device_type, device_id;
};
struct View {
    void* data;
    std::uint64_t samples, stride;
    std::int32_t device_type, device_id;
};
static_assert(sizeof(VectorView) == 40 && sizeof(View) == 32);

template <class T = double>
T& at(void* block, std::int64_t i) {
    auto* v = static_cast<View*>(block);
    return static_cast<T*>(v->data)[static_cast<std::uint64_t>(i) * v->stride];
}
template <class T = double>
T& at(void* block, std::uint64_t component, std::int64_t i) {
    auto* v = static_cast<VectorView*>(block);
    return static_cast<T*>(v->data)[component * v->comp_stride + static_cast<std::uint64_t>(i) * v->sample_stride];
}
template <class T = double>
T number(void* block) {
    return *static_cast<T*>(block);
}
void fault(void* control, std::int64_t code, std::int64_t sample) {
    if (at<std::int64_t>(control, 3) != 0 && at<std::int64_t>(control, 5) < sample) return;
    at<std::int64_t>(control, 3) = code;
    at<std::int64_t>(control, 5) = sample;
}

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))
#define ENTRY(name) EXPORT void name(void* const* p, std::int64_t base, std::int64_t count, std::int64_t)
#define SAMPLES for (std::int64_t i = base; i < base + count; ++i)

EXPORT const char eagle_abi_tag[] = "aether-abi/2";
EXPORT const std::uint64_t eagle_layout_sizes[5] = {40, 32, 32, 4, 24};

// out, x, a, b
ENTRY(scale) { SAMPLES at(p[0], 0, i) = number(p[2]) * at(p[1], i) + number(p[3]); }

// out, x, y
ENTRY(add) { SAMPLES at(p[0], 0, i) = at(p[1], i) + at(p[2], i); }

// out (float32), x (float32), a (float32)
ENTRY(scale32) { SAMPLES at<float>(p[0], 0, i) = number<float>(p[2]) * at<float>(p[1], i); }

// p: mutable Vector[3]; v: Vector[3]; dt
ENTRY(drift) { SAMPLES for (std::uint64_t k = 0; k < 3; ++k) at(p[0], k, i) += number(p[2]) * at(p[1], k, i); }

// out: Vector[2]; x
ENTRY(pair) {
    SAMPLES {
        at(p[0], 0, i) = at(p[1], i);
        at(p[0], 1, i) = 10 * at(p[1], i);
    }
}

// out0, out1, x: a tuple of a quotient and a remainder by 2
ENTRY(halves) {
    SAMPLES {
        auto x = at<std::int64_t>(p[2], i);
        at<std::int64_t>(p[0], 0, i) = x / 2;
        at<std::int64_t>(p[1], 0, i) = x % 2;
    }
}

// n: mutable int64; done: terminated. One step counts down.
ENTRY(countdown) {
    SAMPLES {
        if (at<std::uint8_t>(p[1], i) != 0) continue;
        if (--at<std::int64_t>(p[0], i) <= 0) at<std::uint8_t>(p[1], i) = 1;
    }
}

// __control, out, d, x: x / d in integers
ENTRY(divide) {
    SAMPLES {
        auto x = at<std::int64_t>(p[3], i), d = at<std::int64_t>(p[2], i);
        if (d == 0)
            fault(p[0], -1, i);
        else if (x == INT64_MIN && d == -1)
            fault(p[0], -2, i);
        else
            at<std::int64_t>(p[1], 0, i) = x / d;
    }
}

// __control, out, table, k: the table's element k
ENTRY(pick) {
    auto n = static_cast<std::int64_t>(static_cast<View*>(p[2])->samples);
    SAMPLES {
        auto k = at<std::int64_t>(p[3], i);
        if (k < 0 || k >= n) {
            fault(p[0], 1, i);
            if (at<std::int64_t>(p[0], 5) == i) at<std::int64_t>(p[0], 4) = k;
        } else {
            at(p[1], 0, i) = at(p[2], k);
        }
    }
}

// out, x: waits until somebody sets x to something else than 0, 20 s at most, then copies
ENTRY(waiter) {
    SAMPLES {
        auto* x = static_cast<volatile double*>(&at(p[1], i));
        timespec rest{0, 1'000'000};
        for (int tries = 0; *x == 0 && tries < 20'000; ++tries) nanosleep(&rest, nullptr);
        at(p[0], 0, i) = *x;
    }
}

// out, x: a millisecond a sample
ENTRY(slow) {
    SAMPLES {
        timespec rest{0, 1'000'000};
        nanosleep(&rest, nullptr);
        at(p[0], 0, i) = at(p[1], i);
    }
}

// out, x: a quotient that depends on the rounding mode
ENTRY(third) { SAMPLES at(p[0], 0, i) = at(p[1], i) / 3.0; }
