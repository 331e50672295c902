// Words that several refusals share.
#pragma once
#include <eagle/marshal/ShapeText.h>
#include <eagle/marshal/Signature.h>

#include <cstdint>
#include <string>

namespace eagle::marshal {

inline std::string who(const Signature& signature, const Parameter& parameter) {
    return "argument '" + parameter.name + "' of kernel '" + signature.kernel + "'";
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
