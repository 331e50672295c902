// What a kernel takes: its arguments in packing order, as a sidecar declares them.
#pragma once
#include <eagle/export.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eagle {

// How a kernel uses an argument. The order here is the packing order of roles in arg_spec; inside a role, by name.
enum class Role : std::uint8_t {
    mutable_,    // "mutable": read (when `prior`) and written in place
    out,         // written, never read
    wide_out,    // a table that samples write by key
    accum_out,   // a table that samples add to by key
    vec_in,      // a vector a sample, read
    mat_in,      // a matrix a sample, read
    wide_in,     // a table read by key
    per_sample,  // a scalar a sample, read
    lookup,      // a table shared by all samples, read
    terminated,  // one byte a sample: non-zero skips the sample
    uniform,     // one number for the call
    nsamples,    // uint32, supplied by the loader
};

enum class Dtype : std::uint8_t { float64, float32, int64, int32, uint32, boolean };

EAGLE_API std::string_view role_name(Role role);     // as written in arg_spec: "mutable", "vec_in", ...
EAGLE_API std::string_view dtype_name(Dtype dtype);  // "float64", ..., "bool"
constexpr std::size_t dtype_size(Dtype dtype) {      // bytes of one element
    return dtype == Dtype::boolean ? 1 : dtype == Dtype::float64 || dtype == Dtype::int64 ? 8 : 4;
}
// The reverse; empty for a name that is none.
EAGLE_API std::optional<Role> role_from_name(std::string_view name);
EAGLE_API std::optional<Dtype> dtype_from_name(std::string_view name);

struct Parameter {
    std::string name;
    Role role = Role::per_sample;
    Dtype dtype = Dtype::float64;
    std::uint32_t rows = 1;  // components of a sample: rows * cols; a scalar has 1, a Vector[w] has rows = w
    std::uint32_t cols = 1;
    bool vector_view = false;  // the 40-byte block of a vector or matrix; else the 32-byte one
    bool matrix = false;       // a Matrix[rows, cols], so (rows, cols, N) is its native shape
    bool prior = false;        // mutable: the kernel reads the value at launch

    std::uint32_t width() const { return rows * cols; }
    // One value of a sample has no axis, so that (N,) is the native shape. An `out` comes in the 40-byte block whatever
    // its width.
    bool scalar() const { return !matrix && rows == 1 && (!vector_view || role == Role::out); }
    // Names that begin with two underscores are planes that the loader supplies: __steps, __control, __next.
    bool supplied() const { return name.size() > 2 && name[0] == '_' && name[1] == '_'; }
    bool is_plane() const { return role != Role::uniform && role != Role::nsamples; }
    // One element group a sample (as against a table or a number).
    bool is_sample_plane() const {
        return role == Role::mutable_ || role == Role::out || role == Role::vec_in || role == Role::mat_in ||
               role == Role::per_sample || role == Role::terminated;
    }
};

struct EAGLE_API Signature {
    std::string kernel;
    Dtype scalar = Dtype::float64;      // scalar_type of the sidecar
    std::vector<Parameter> parameters;  // in packing order
    bool terminated_readonly = false;   // the kernel never writes its mask
    std::string finish_mask;            // the mask that this kernel sets, or empty
    std::uint64_t whole_entry = 0;      // address of a v1 entry (WholeEntry.h); 0: the kernel has a v2 entry

    // Index of the parameter of that name, or -1.
    int find(std::string_view name) const;
    // Does a launch write this plane?
    bool writes(const Parameter& parameter) const {
        return parameter.role <= Role::accum_out || (parameter.role == Role::terminated && !terminated_readonly);
    }
};

}  // namespace eagle
