#include "simulate/Step.h"

#include <eagle/Error.h>
#include <eagle/marshal/NameText.h>

#include <algorithm>

#include "exec/Match.h"

namespace eagle::sim {
namespace {

bool writes_state(const Signature& signature) {
    return std::any_of(signature.parameters.begin(), signature.parameters.end(), [&](const Parameter& parameter) {
        return !parameter.supplied() && signature.writes(parameter);
    });
}

std::size_t first_that_finishes(const std::vector<Kernel>& kernels, const std::string& who) {
    const auto first =
        std::find_if(kernels.begin(), kernels.end(), [](const Kernel& kernel) { return kernel.finishes(); });
    if (first != kernels.end()) return static_cast<std::size_t>(first - kernels.begin());
    throw InvalidArgument(kernels.empty()
                              ? "the model has no kernel; " + who + " needs one that finishes its samples"
                              : "kernel '" + kernels.back().name() +
                                    "' does not finish its samples, and no other kernel of the model " + "does; " +
                                    who + " needs one that sets its Terminated, or use a plan and launch it");
}

std::string listed(std::span<const std::string> words) {
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

std::string unknown_text(const std::vector<Kernel>& kernels, const std::string& name,
                         std::span<const std::string> keywords) {
    std::vector<std::string> asked, known = arguments_of(kernels);
    for (const Kernel& kernel : kernels) asked.push_back("'" + kernel.name() + "'");
    std::string text = "argument '" + marshal::shortened(name) + "' is unknown to " + listed(asked) +
                       "; the model takes " + listed(known);
    if (!keywords.empty()) text += ", and the call " + listed(keywords);
    known.insert(known.end(), keywords.begin(), keywords.end());
    return text + ": give it one of these names, or leave it out" + marshal::nearest_text(name, known);
}

}  // namespace

int terminated_index(const Signature& signature) {
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
        if (signature.parameters[i].role == Role::terminated) return static_cast<int>(i);
    return -1;
}

std::size_t check_step(const std::vector<Kernel>& kernels, const std::string& who) {
    const std::size_t counting = first_that_finishes(kernels, who);
    const Kernel& first = kernels[counting];
    if (first.signature().find("__steps") < 0)
        throw InvalidArgument("kernel '" + first.name() +
                              "' finishes its samples, but has no plane '__steps' to count "
                              "their steps; build it with one");
    for (const Kernel& kernel : kernels) {
        if (kernel.access().empty())
            throw InvalidArgument("kernel '" + kernel.name() +
                                  "' comes from a v1 artifact; the rule: a v1 kernel runs " + "whole, and " + who +
                                  " needs one that can leave samples out: run it with a plan");
        if (kernel.access() == "mapreduce")
            throw InvalidArgument("kernel '" + kernel.name() + "' is mapreduce; " + who +
                                  " steps samples and folds nothing: run it with a plan");
        if (terminated_index(kernel.signature()) < 0 && writes_state(kernel.signature()))
            throw InvalidArgument("kernel '" + kernel.name() +
                                  "' writes state but declares no Terminated, so it would change "
                                  "samples that have finished; declare '" +
                                  first.signature().finish_mask + "' in it");
        if (kernel.backend().kind() != first.backend().kind())
            throw InvalidArgument("kernel '" + kernel.name() + "' is loaded for kind '" + kernel.backend().kind() +
                                  "', kernel '" + first.name() + "' for '" + first.backend().kind() +
                                  "'; the kernels of a step run on one kind");
    }
    return counting;
}

void check_one_mask(const std::vector<Kernel>& kernels, const Kernel& counting) {
    const std::string& mask = counting.signature().finish_mask;
    for (const Kernel& kernel : kernels) {
        const int index = terminated_index(kernel.signature());
        if (index < 0) continue;
        const std::string& name = kernel.signature().parameters[static_cast<std::size_t>(index)].name;
        if (name != mask)
            throw InvalidArgument("kernel '" + kernel.name() + "' calls its terminated plane '" + name + "', kernel '" +
                                  counting.name() + "' calls it '" + mask + "'; the kernels of a step share one");
    }
}

void check_names(const std::vector<Kernel>& kernels, const Arguments& arguments,
                 std::span<const std::string> keywords) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& name = arguments[i].first;
        for (std::size_t k = 0; k < i; ++k)
            if (arguments[k].first == name) throw ArgumentError("argument '" + name + "' is given twice; give it once");
        const bool known = std::any_of(kernels.begin(), kernels.end(), [&](const Kernel& kernel) {
            const int index = kernel.signature().find(name);
            return index >= 0 && exec::given_by_caller(kernel.signature().parameters[static_cast<std::size_t>(index)]);
        });
        if (known) continue;
        throw ArgumentError(unknown_text(kernels, name, keywords));
    }
}

std::vector<const marshal::Value*> matched(const Signature& signature, const Arguments& arguments) {
    std::vector<const marshal::Value*> out(signature.parameters.size(), nullptr);
    for (const auto& [name, value] : arguments) {
        const int index = signature.find(name);
        if (index >= 0) out[static_cast<std::size_t>(index)] = &value;
    }
    return out;
}

std::vector<std::int64_t> shape_of_mask(const Kernel& counting, const Arguments& arguments,
                                        const marshal::Options& options) {
    Signature rest = counting.signature();
    rest.parameters.erase(rest.parameters.begin() + terminated_index(rest));
    const marshal::Packed packed = marshal::pack(rest, matched(rest, arguments), options);
    return packed.one_sample() ? std::vector<std::int64_t>() : std::vector<std::int64_t>{packed.samples()};
}

const ArrayView& plane_of(const std::vector<Bound>& step, const std::string& name) {
    std::vector<std::string> names;
    for (const Bound& bound : step) {
        const auto& parameters = bound.signature->parameters;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            if (!parameters[i].is_plane() || parameters[i].supplied()) continue;
            if (parameters[i].name == name) return bound.packed->array(i);
            names.push_back(parameters[i].name);
        }
    }
    throw ArgumentError("record names '" + marshal::shortened(name) +
                        "', which is no plane of the model; its planes are " + listed(names) +
                        marshal::nearest_text(name, names));
}

}  // namespace eagle::sim
