// Names of a call to parameters of a kernel.
#pragma once
#include <eagle/Plan.h>

#include <string_view>
#include <vector>

namespace eagle::exec {

// Is it an argument of a call? The rest is supplied by the loader.
inline bool given_by_caller(const Parameter& parameter) {
    return !parameter.supplied() && parameter.role != Role::nsamples;
}

// The arguments packed for the kernel. Names are matched here, without copying a value; what does not match is refused
// by marshal, in its words.
inline marshal::Packed pack(const Signature& signature, const Arguments& arguments, const marshal::Options& options) {
    std::vector<const Value*> matched(signature.parameters.size(), nullptr);
    bool every = true;
    for (const auto& [name, value] : arguments) {
        const int index = signature.find(name);
        every = every && index >= 0 && given_by_caller(signature.parameters[static_cast<std::size_t>(index)]) &&
                !matched[static_cast<std::size_t>(index)];
        if (every) matched[static_cast<std::size_t>(index)] = &value;
    }
    if (every) return marshal::pack(signature, matched, options);

    std::vector<std::string_view> names;
    std::vector<Value> values;
    for (const auto& [name, value] : arguments) {
        names.push_back(name);
        values.push_back(value);
    }
    return marshal::pack(signature, names, values, options);
}

}  // namespace eagle::exec
