// One plan of a step, called with blocks of this run's own: the bound plan stays as it is.
#pragma once
#include <eagle/marshal/ArrayView.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "active/Queue.h"
#include "exec/PlanState.h"
#include "lowering/KernelCall.h"

namespace eagle::active {

class StepPart {
  public:
    // The plan outlives it.
    explicit StepPart(BoundPlan::State& bound);
    StepPart(const StepPart&) = delete;
    StepPart& operator=(const StepPart&) = delete;

    struct Plane {
        std::size_t index;
        ArrayView view;  // (components, samples)
        bool written;
    };
    // Those with one element group a sample, the mask among them.
    std::vector<Plane> planes() const;
    // The mask's. Its index is that of the terminated plane.
    ArrayView mask() const;

    // The plane at `index` lies at `address` from here on, dense, components first or by sample.
    void move_plane(std::size_t index, std::uint64_t address, bool by_sample);
    // Counts the steps of its samples in `steps`, int64.
    void count_steps(std::uint64_t address);

    // Puts a launch of the first `count` samples.
    void put(Queue& queue, std::int64_t count);
    // Throws what a launch noted, once its work is done, and forgets it. Slots are in the order of samples among those
    // that are live, so that the lowest faulty slot holds the lowest faulty sample; `sample_of` says which it is.
    template <class SampleOf>
    void check_fault(const SampleOf& sample_of) {
        if (bound_.plan->control >= 0 && bound_.control[marshal::Control::fault] != 0) raise(sample_of);
    }

    const Kernel& kernel() const { return bound_.plan->kernel; }
    BoundPlan::State& bound() { return bound_; }
    std::int64_t samples() const { return bound_.packed.samples(); }

  private:
    template <class SampleOf>
    void raise(const SampleOf& sample_of) {
        std::array<std::int64_t, marshal::Control::size> found{};
        std::copy_n(bound_.control, found.size(), found.begin());
        std::fill_n(bound_.control, found.size(), 0);
        found[marshal::Control::sample] = sample_of(found[marshal::Control::sample]);
        marshal::raise_fault(kernel().signature(), found.data());
    }
    ArrayView view_of(std::size_t index) const;

    BoundPlan::State& bound_;
    std::vector<marshal::Block> blocks_;
    std::vector<const void*> params_;
    lowering::KernelCall call_;
};

}  // namespace eagle::active
