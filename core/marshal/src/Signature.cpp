#include <eagle/marshal/Signature.h>

#include <array>

namespace eagle {
namespace {

constexpr std::array<std::string_view, 12> role_names = {"mutable", "out",        "wide_out", "accum_out",
                                                         "vec_in",  "mat_in",     "wide_in",  "per_sample",
                                                         "lookup",  "terminated", "uniform",  "nsamples"};
constexpr std::array<std::string_view, 6> dtype_names = {"float64", "float32", "int64", "int32", "uint32", "bool"};

}  // namespace

std::string_view role_name(Role role) { return role_names[static_cast<std::size_t>(role)]; }
std::string_view dtype_name(Dtype dtype) { return dtype_names[static_cast<std::size_t>(dtype)]; }

std::optional<Role> role_from_name(std::string_view name) {
    for (std::size_t i = 0; i < role_names.size(); ++i)
        if (role_names[i] == name) return static_cast<Role>(i);
    return std::nullopt;
}

std::optional<Dtype> dtype_from_name(std::string_view name) {
    for (std::size_t i = 0; i < dtype_names.size(); ++i)
        if (dtype_names[i] == name) return static_cast<Dtype>(i);
    return std::nullopt;
}

int Signature::find(std::string_view name) const {
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (parameters[i].name == name) return static_cast<int>(i);
    return -1;
}

}  // namespace eagle
