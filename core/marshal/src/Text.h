// Words that several refusals share.
#pragma once
#include <eagle/marshal/ShapeText.h>
#include <eagle/marshal/Signature.h>

#include <string>

namespace eagle::marshal {

inline std::string who(const Signature& signature, const Parameter& parameter) {
    return "argument '" + parameter.name + "' of kernel '" + signature.kernel + "'";
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
