// Execution structures: what a plan runs on, and which samples.
#pragma once
#include <eagle/export.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace eagle {

// A team of CPU threads. 0 = as many as this process may use.
struct HostTeam {
    int threads = 0;
};

// One device of the kind that a kernel is loaded for. Work is put on streams of the plan's own, which the device's
// legacy default stream orders itself against, and where `stream` (raw; it outlives what uses it) is not 0, in the
// order of that stream too (BoundPlan::launch_on).
struct DeviceKernel {
    DeviceKernel(std::string on_kind, std::int32_t on_device = 0, std::uint64_t on_stream = 0)
        : kind(std::move(on_kind)), device(on_device), stream(on_stream) {}

    std::string kind;  // "cuda"
    std::int32_t device;
    std::uint64_t stream;
};

// Samples [base, base + count) of n_samples.
struct EAGLE_API Partition {
    std::int64_t base = 0, count = 0, n_samples = 0;

    static Partition whole(std::int64_t n_samples);
    // `parts` neighbouring ranges that cover n_samples, boundaries at multiples of `multiple`; the last ones may be
    // empty.
    static std::vector<Partition> split(std::int64_t n_samples, int parts, std::int64_t multiple = 1);
    // Throws InvalidArgument naming the field that is out of range.
    void validate() const;
};

}  // namespace eagle
