// Loads the compiled kernels, and holds planes as a caller would: any stride, with guard cells between the elements.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace hawk_test {

// Instruction set levels that were built and that this machine runs.
inline std::vector<std::string> levels() {
#if defined(__x86_64__)
    std::vector<std::string> found{"x86-64"};
    if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt")) found.push_back("x86-64-v2");
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
        found.push_back("x86-64-v3");
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512cd"))
        found.push_back("x86-64-v4");
    return found;
#else
    return {"native"};
#endif
}

template <class F>
F* entry(const std::string& kernel, const std::string& level, const std::string& symbol) {
    const std::string path = std::string(HAWK_KERNEL_DIR) + "/" + kernel + "." + level + ".so";
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw std::runtime_error(dlerror());
    void* found = dlsym(library, symbol.c_str());
    if (!found) throw std::runtime_error(path + " has no " + symbol);
    return reinterpret_cast<F*>(found);
}

using HostEntry = void(void* const*, std::int64_t, std::int64_t, std::int64_t);

struct ScalarBlock {
    void* data;
    std::uint64_t samples, stride;
    std::int32_t device_type, device_id;
};
struct VectorBlock {
    void* data;
    std::uint64_t samples, comp_stride, sample_stride;
    std::int32_t device_type, device_id;
};

// n samples of w components; a cell of the store is a component, `gap` cells lie between neighbouring samples.
template <class T>
class Column {
  public:
    Column(std::int64_t n, int gap = 0, int w = 1)
        : n_(n), stride_(gap + 1), pitch_(n * stride_ + 3), cells_(static_cast<std::size_t>(pitch_ * w), guard()) {
        for (int c = 0; c < w; c++)
            for (std::int64_t i = 0; i < n; i++) at(i, c) = T{};
    }
    T& at(std::int64_t i, int c = 0) { return cells_[static_cast<std::size_t>(c * pitch_ + i * stride_)]; }
    T& operator[](std::int64_t i) { return at(i); }

    ScalarBlock scalar() { return {cells_.data(), samples(), static_cast<std::uint64_t>(stride_), 1, 0}; }
    VectorBlock vector() {
        return {
            cells_.data(), samples(), static_cast<std::uint64_t>(pitch_), static_cast<std::uint64_t>(stride_), 1, 0};
    }
    // Equal to the bit, guard cells included.
    bool operator==(const Column& other) const {
        return cells_.size() == other.cells_.size() &&
               (cells_.empty() || std::memcmp(cells_.data(), other.cells_.data(), cells_.size() * sizeof(T)) == 0);
    }

  private:
    static T guard() { return static_cast<T>(77); }
    std::uint64_t samples() const { return static_cast<std::uint64_t>(n_); }
    std::int64_t n_, stride_, pitch_;
    std::vector<T> cells_;
};

struct Control {
    std::int64_t word[8] = {};
    std::int64_t cursor = 0;
};

}  // namespace hawk_test
