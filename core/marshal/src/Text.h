// Words that several refusals share.
#pragma once
#include <eagle/marshal/ShapeText.h>
#include <eagle/marshal/Signature.h>

#include <cstdint>
#include <string>
#include <vector>

namespace eagle::marshal {

inline std::string who(const Signature& signature, const Parameter& parameter) {
    return "argument '" + parameter.name + "' of kernel '" + signature.kernel + "'";
}

// What a caller gives: neither what the loader supplies nor the number of samples.
inline std::vector<std::string> argument_names(const Signature& signature) {
    std::vector<std::string> names;
    for (const Parameter& p : signature.parameters)
        if (!p.supplied() && p.role != Role::nsamples) names.push_back(p.name);
    return names;
}

inline std::string arguments_text(const Signature& signature) {
    std::string text;
    for (const std::string& name : argument_names(signature)) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "no arguments" : text;
}

inline std::string device_text(std::int32_t type, std::int32_t id) {
    return type == 1 ? "the host" : "DLPack device type " + std::to_string(type) + ", number " + std::to_string(id);
}

// The shape of one sample as leading or trailing part of a tuple: "", "3", "2, 3".
inline std::string sample_text(const Parameter& parameter) {
    if (parameter.scalar()) return "";
    if (!parameter.matrix) return std::to_string(parameter.width());
    return std::to_string(parameter.rows) + ", " + std::to_string(parameter.cols);
}

inline std::string native_text(const Parameter& parameter) {
    std::string sample = sample_text(parameter);
    return sample.empty() ? "(N,)" : "(" + sample + ", N)";
}

inline std::string samples_first_text(const Parameter& parameter) {
    std::string sample = sample_text(parameter);
    return sample.empty() ? "(N,)" : "(N, " + sample + ")";
}

}  // namespace eagle::marshal
