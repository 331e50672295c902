#include "Kernel.h"

#include <cstring>

#include "FloatEnvironment.h"
#include "Team.h"

namespace eagle::host {

void run_kernel(const KernelCall& call) {
    FloatEnvironment plain;  // of the kernel, and of the arithmetic that decides how it is shared
    Team& team = Team::of_process();
    Cost& cost = Cost::of(reinterpret_cast<std::uint64_t>(call.entry));
    void* ctx = const_cast<KernelCall*>(&call);
    if (call.grid == 0) {
        auto part = [](void* raw, std::int64_t at, std::int64_t count) {
            const KernelCall& c = *static_cast<const KernelCall*>(raw);
            c.entry(c.params, c.base + at, count, c.n_samples);
        };
        team.split(part, ctx, call.count, call.max_parallel, cost);
    } else {
        auto part = [](void* raw, std::int64_t, std::int64_t calls) {
            const KernelCall& c = *static_cast<const KernelCall*>(raw);
            for (; calls > 0; --calls) c.entry(c.params, c.base, c.count, c.n_samples);
        };
        team.repeat(part, ctx, call.grid, call.count, call.max_parallel, cost);
    }
}

KeptArguments::KeptArguments(const std::uint64_t* params, const std::uint64_t* sizes, std::int64_t count) {
    addresses_.reserve(static_cast<std::size_t>(count));
    if (sizes) sizes_.assign(sizes, sizes + count);
    std::size_t blocks = 0;
    for (std::int64_t i = 0; sizes && i < count; ++i) blocks += (sizes[i] + alignment - 1) / alignment;
    storage_.resize(blocks);
    Block* at = storage_.data();
    for (std::int64_t i = 0; i < count; ++i) {
        void* from = reinterpret_cast<void*>(params[i]);
        if (!sizes) {
            addresses_.push_back(from);
            continue;
        }
        addresses_.push_back(at);
        if (sizes[i] > 0) std::memcpy(static_cast<void*>(at), from, sizes[i]);
        at += (sizes[i] + alignment - 1) / alignment;
    }
}

KeptArguments KeptArguments::with(const std::uint64_t* values, std::int64_t count) const {
    std::vector<std::uint64_t> merged;
    for (void* address : addresses_) merged.push_back(reinterpret_cast<std::uint64_t>(address));
    for (std::int64_t i = 0; i < count; ++i) {
        if (values[i] != 0) merged[static_cast<std::size_t>(i)] = values[i];
    }
    return {merged.data(), sizes(), static_cast<std::int64_t>(merged.size())};
}

}  // namespace eagle::host
