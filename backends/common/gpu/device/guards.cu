// Device code of conditional nodes: the kernels that decide what runs. Of drivers that have such nodes.
#include "KernelTypes.h"

using namespace eagle::gpu;

extern "C" __device__ void cudaGraphSetConditional(unsigned long long handle, unsigned value);

namespace {

constexpr unsigned uncapped = 0xffffffffu;

__device__ bool guard_holds(const GuardCells& g) {
    return (*g.count != (g.baseline ? *g.baseline : 0u)) != (g.is_negated != 0);
}

__device__ bool is_below_limit(const GuardCells& g, unsigned ran) { return !g.limit || ran < *g.limit; }

}  // namespace

// Before the node: the cells of a loop are set up, and the condition says what runs first.
extern "C" __global__ void eagle_guard_head(GuardCells g) {
    if (g.kind == guard_one_of_many) {
        cudaGraphSetConditional(g.handle, *g.count);
        return;
    }
    if (g.kind == guard_loop) {
        g.counter[0] = g.most_turns;
        g.counter[1] = 0;
        if (g.brk) *g.brk = 0;
    }
    const bool runs = guard_holds(g) && (g.kind != guard_loop || is_below_limit(g, 0));
    cudaGraphSetConditional(g.handle, runs ? 1u : 0u);
}

// Behind one turn of a loop.
extern "C" __global__ void eagle_guard_tail(GuardCells g) {
    const unsigned remaining = --g.counter[0], ran = ++g.counter[1];
    const bool has_turns = remaining > 0 || g.most_turns == uncapped;
    const bool runs = has_turns && guard_holds(g) && is_below_limit(g, ran) && !(g.brk && *g.brk != 0);
    cudaGraphSetConditional(g.handle, runs ? 1u : 0u);
}
