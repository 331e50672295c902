#include "simulate/Model.h"

#include <algorithm>
#include <cstring>

#include "exec/Match.h"
#include "exec/Placement.h"
#include "simulate/Step.h"

namespace eagle::sim {
namespace {

std::vector<const Value*> match(const Signature& signature, const Arguments& arguments) {
    std::vector<const Value*> out(signature.parameters.size(), nullptr);
    for (const auto& [name, value] : arguments) {
        const int index = signature.find(name);
        if (index >= 0) out[static_cast<std::size_t>(index)] = &value;
    }
    return out;
}

std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text.append(text.empty() ? "" : ", ").append(word);
    return text;
}

// What a caller may give, each name once, in the order of the kernels.
std::vector<std::string> arguments_of(const std::vector<Kernel>& kernels) {
    std::vector<std::string> names;
    for (const Kernel& kernel : kernels)
        for (const Parameter& parameter : kernel.signature().parameters)
            if (exec::given_by_caller(parameter) &&
                std::find(names.begin(), names.end(), parameter.name) == names.end())
                names.push_back(parameter.name);
    return names;
}

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
    check_names();
    allocate_mask();
    pack();
}

void Model::check_kernels() {
    counting_ = check_step(kernels_, "simulate");
    const Kernel& first = kernels_[counting_];
    mask_name_ = first.signature().finish_mask;
    for (const Kernel& kernel : kernels_) {
        const int index = terminated_index(kernel.signature());
        if (index < 0) continue;
        const std::string& name = kernel.signature().parameters[static_cast<std::size_t>(index)].name;
        if (name != mask_name_)
            throw InvalidArgument("kernel '" + kernel.name() + "' calls its terminated plane '" + name + "', kernel '" +
                                  first.name() + "' calls it '" + mask_name_ + "'; the kernels of a step share one");
    }
}

void Model::check_names() const {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
        const std::string& name = arguments_[i].first;
        for (std::size_t k = 0; k < i; ++k)
            if (arguments_[k].first == name) throw ArgumentError("argument '" + name + "' is given twice");
        const bool known = std::any_of(kernels_.begin(), kernels_.end(), [&](const Kernel& kernel) {
            const int index = kernel.signature().find(name);
            return index >= 0 && exec::given_by_caller(kernel.signature().parameters[static_cast<std::size_t>(index)]);
        });
        if (known) continue;
        std::vector<std::string> names;
        for (const Kernel& kernel : kernels_) names.push_back("'" + kernel.name() + "'");
        throw ArgumentError("argument '" + name + "' is unknown to " + listed(names) +
                            "; leave it out: the model takes " + listed(arguments_of(kernels_)));
    }
}

void Model::allocate_mask() {
    for (const auto& argument : arguments_)
        if (argument.first == mask_name_) return;
    // The number of samples is what the other planes say.
    const Kernel& kernel = kernels_[counting_];
    Signature rest = kernel.signature();
    rest.parameters.erase(rest.parameters.begin() + terminated_index(rest));
    const marshal::Packed packed = marshal::pack(rest, match(rest, arguments_), packing(layout_));
    const std::int64_t shape[] = {packed.samples()};
    own_mask_ = Array::zeros(std::span(shape, packed.one_sample() ? 0 : 1), Dtype::boolean);
    arguments_.emplace_back(mask_name_, own_mask_.view());
}

void Model::pack() {
    std::vector<std::unique_ptr<Part>> parts;
    for (const Kernel& kernel : kernels_) {
        const Signature& signature = kernel.signature();
        parts.push_back(
            std::make_unique<Part>(kernel, marshal::pack(signature, match(signature, arguments_), packing(layout_))));
        const std::int64_t found = parts.back()->packed.samples(), needed = parts.front()->packed.samples();
        if (found != needed)
            throw LayoutError("kernel '" + kernel.name() + "' has " + std::to_string(found) + " samples, kernel '" +
                              kernels_.front().name() + "' has " + std::to_string(needed) +
                              "; the kernels of a step share one batch");
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
    std::string names;
    for (const auto& part : parts_) {
        const auto& parameters = part->kernel.signature().parameters;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            if (!parameters[i].is_plane() || parameters[i].supplied()) continue;
            if (parameters[i].name == name) return part->packed.array(i);
            names += (names.empty() ? "" : ", ") + parameters[i].name;
        }
    }
    throw ArgumentError("record names '" + name + "', which is no plane of the model; its planes are " + names);
}

}  // namespace eagle::sim
