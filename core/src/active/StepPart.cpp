#include "active/StepPart.h"

#include <cstring>

#include "exec/Blocks.h"
#include "simulate/Step.h"

namespace eagle::active {
namespace {

using exec::ScalarBlock;
using exec::VectorBlock;

template <class T>
T read(const marshal::Block& block) {
    T out;
    std::memcpy(&out, block.bytes, sizeof out);
    return out;
}

template <class T>
void write(marshal::Block& block, const T& value) {
    std::memcpy(block.bytes, &value, sizeof value);
}

// A dense plane: of components one after the other, where `width` is 0, or of samples of that many components.
void point(marshal::Block& block, std::uint64_t address, std::uint64_t samples, std::uint64_t width) {
    if (block.size == sizeof(VectorBlock)) {
        auto to = read<VectorBlock>(block);
        to.data = address;
        to.samples = samples;
        to.comp_stride = width == 0 ? samples : 1;
        to.sample_stride = width == 0 ? 1 : width;
        return write(block, to);
    }
    auto to = read<ScalarBlock>(block);
    to.data = address;
    to.samples = samples;
    to.stride = 1;
    write(block, to);
}

}  // namespace

StepPart::StepPart(BoundPlan::State& bound) : bound_(bound), blocks_(bound.packed.count()) {
    const marshal::Packed& packed = bound.packed;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        blocks_[i].size = static_cast<std::uint32_t>(packed.param_sizes()[i]);
        std::memcpy(blocks_[i].bytes, packed.params()[i], blocks_[i].size);
        params_.push_back(blocks_[i].bytes);
    }
    call_.function = kernel().step_entry(bound.launcher.stream().device());
    call_.max_parallel = bound.plan->parallel;
    call_.params = params_.data();
    call_.sizes = packed.param_sizes();
    call_.count = params_.size();
}

ArrayView StepPart::view_of(std::size_t index) const {
    return exec::view_of_block(kernel().signature().parameters[index], blocks_[index].bytes, blocks_[index].size);
}

std::vector<StepPart::Plane> StepPart::planes() const {
    std::vector<Plane> out;
    const Signature& signature = kernel().signature();
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
        const Parameter& parameter = signature.parameters[i];
        if (parameter.is_sample_plane() && !parameter.supplied())
            out.push_back({i, view_of(i), signature.writes(parameter)});
    }
    return out;
}

ArrayView StepPart::mask() const {
    ArrayView mask = view_of(static_cast<std::size_t>(sim::terminated_index(kernel().signature())));
    mask.ndim = 1;
    mask.shape[0] = mask.shape[1];
    mask.strides[0] = mask.strides[1];
    return mask;
}

void StepPart::move_plane(std::size_t index, std::uint64_t address, bool by_sample) {
    const std::uint32_t width = by_sample ? kernel().signature().parameters[index].width() : 0;
    point(blocks_[index], address, static_cast<std::uint64_t>(samples()), width);
}

void StepPart::count_steps(std::uint64_t address) {
    move_plane(static_cast<std::size_t>(bound_.plan->steps), address, false);
}

void StepPart::put(Queue& queue, std::int64_t count) {
    call_.part = {0, count, samples()};
    call_.put(queue.backend(), queue.device(), queue.stream());
}

}  // namespace eagle::active
