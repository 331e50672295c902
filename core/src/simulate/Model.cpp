#include "simulate/Model.h"

#include <algorithm>
#include <cstring>

#include "exec/Placement.h"
#include "simulate/Step.h"

namespace eagle::sim {
namespace {

marshal::Options packing(SamplesAxis layout) {
    marshal::Options options;
    options.conversion = marshal::Conversion::convert;
    options.layout = layout;
    return options;
}

}  // namespace

Part::Part(const Kernel& of, marshal::Packed arguments)
    : kernel(of),
      packed(std::move(arguments)),
      launcher(of),
      steps(of.signature().find("__steps")),
      next(of.signature().find("__next")) {
    const int index = of.signature().find("__control");
    if (index >= 0) packed.set_supplied(static_cast<std::size_t>(index), control.data(), marshal::Control::size);
}

Model::Model(std::vector<Kernel> kernels, const Arguments& arguments, const SimulateOptions& options)
    : kernels_(std::move(kernels)), arguments_(arguments), layout_(options.layout) {
    for (const Kernel& kernel : kernels_) exec::check_placement(kernel, options.team, 1);
    check_kernels();
    check_names(kernels_, arguments_, options.keywords);
    allocate_mask();
    pack();
}

void Model::check_kernels() {
    counting_ = check_step(kernels_, "simulate");
    check_one_mask(kernels_, kernels_[counting_]);
    mask_name_ = kernels_[counting_].signature().finish_mask;
}

void Model::allocate_mask() {
    for (const auto& argument : arguments_)
        if (argument.first == mask_name_) return;
    own_mask_ = Array::zeros(shape_of_mask(kernels_[counting_], arguments_, packing(layout_)), Dtype::boolean);
    arguments_.emplace_back(mask_name_, own_mask_.view());
}

void Model::pack() {
    std::vector<std::unique_ptr<Part>> parts;
    for (const Kernel& kernel : kernels_) {
        const Signature& signature = kernel.signature();
        parts.push_back(
            std::make_unique<Part>(kernel, marshal::pack(signature, matched(signature, arguments_), packing(layout_))));
        const std::int64_t found = parts.back()->packed.samples(), needed = parts.front()->packed.samples();
        if (found != needed)
            throw LayoutError("kernel '" + kernel.name() + "' has " + std::to_string(found) + " samples, kernel '" +
                              kernels_.front().name() + "' has " + std::to_string(needed) +
                              "; the kernels of a step share one batch: give arrays of one length");
    }
    parts_ = std::move(parts);
    samples_ = parts_.front()->packed.samples();
    check_conversions();
}

// A converted plane is a copy of each kernel's own: what one kernel writes there, the next would not see.
void Model::check_conversions() const {
    for (const auto& part : parts_)
        for (const marshal::Notice& notice : part->packed.notices()) {
            std::size_t users = 0;
            bool written = false;
            for (const Kernel& kernel : kernels_) {
                const int index = kernel.signature().find(notice.parameter);
                if (index < 0) continue;
                ++users;
                written |= kernel.signature().writes(kernel.signature().parameters[static_cast<std::size_t>(index)]);
            }
            if (users > 1 && written)
                throw LayoutError("plane '" + notice.parameter +
                                  "' is shared by several kernels of the step and would have "
                                  "to be converted for each (" +
                                  notice.text + "); give it in its native layout and dtype");
        }
}

std::pair<const std::uint8_t*, std::int64_t> Model::mask() const {
    const Part& part = *parts_[counting_];
    const auto index = static_cast<std::size_t>(terminated_index(part.kernel.signature()));
    // The 32-byte block of a plane begins with its address, its samples and its stride.
    struct Head {
        const std::uint8_t* data;
        std::uint64_t samples, stride;
    } head;
    std::memcpy(&head, part.packed.params()[index], sizeof head);
    return {head.data, static_cast<std::int64_t>(head.stride)};
}

void Model::refresh() {
    const bool converted =
        std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return !part->packed.notices().empty(); });
    if (converted) pack();
}

void Model::copy_back() {
    for (const auto& part : parts_) part->packed.copy_back();
}

std::vector<marshal::Notice> Model::notices() const {
    std::vector<marshal::Notice> out;
    for (const auto& part : parts_) {
        const auto notices = part->packed.notices();
        out.insert(out.end(), notices.begin(), notices.end());
    }
    return out;
}

const ArrayView& Model::plane(const std::string& name) const {
    std::vector<Bound> step;
    for (const auto& part : parts_) step.push_back({&part->kernel.signature(), &part->packed});
    return plane_of(step, name);
}

}  // namespace eagle::sim
