#include "artifact/SidecarPlanes.h"

#include <eagle/Error.h>

#include <map>
#include <optional>
#include <set>

#include "artifact/Json.h"

namespace eagle::artifact {
namespace {

using nlohmann::json;

constexpr Role all_roles[] = {Role::mutable_, Role::out,        Role::wide_out, Role::accum_out,
                              Role::vec_in,   Role::mat_in,     Role::wide_in,  Role::per_sample,
                              Role::lookup,   Role::terminated, Role::uniform,  Role::nsamples};

class Reader {
  public:
    Reader(const Fields& fields, Dtype scalar) : fields_(fields), scalar_(scalar) {}

    std::vector<Parameter> read() {
        read_params();
        read_mutables();
        std::vector<Parameter> out;
        std::set<std::string> names;
        for (const json& item : fields_.list("arg_spec")) {
            Parameter parameter = name_and_role(item);
            if (!names.insert(parameter.name).second)
                refuse("arg_spec", "names '" + shortened(parameter.name) + "' twice");
            complete(parameter);
            out.push_back(std::move(parameter));
        }
        return out;
    }

  private:
    [[noreturn]] void refuse(const char* key, const std::string& what) const {
        throw InvalidArgument(fields_.document() + ": '" + key + "' " + what);
    }

    Parameter name_and_role(const json& item) const {
        if (!item.is_array() || item.size() != 2 || !item[0].is_string() || !item[1].is_string())
            refuse("arg_spec", "holds " + show(item) + "; every entry must be [role, name]");
        Parameter parameter;
        parameter.name = item[1].get<std::string>();
        if (parameter.name.empty()) refuse("arg_spec", "holds " + show(item) + "; the name must not be empty");
        if (const auto role = role_from_name(item[0].get<std::string>())) {
            parameter.role = *role;
            return parameter;
        }
        std::string known;
        for (const Role role : all_roles) known += (known.empty() ? "" : ", ") + std::string(role_name(role));
        refuse("arg_spec", "holds the role " + show(item[0]) + "; the roles are " + known);
    }

    Dtype dtype(const char* key, const std::string& name, const json& value) const {
        const std::string text = value.is_string() ? value.get<std::string>() : "";
        if (text == "float" || text == "scalar" || text == "vector" || text == "matrix") return scalar_;
        if (text == "int") return Dtype::int64;
        if (const auto known = dtype_from_name(text)) return *known;
        refuse(key, "gives '" + shortened(name) + "' the dtype " + show(value) +
                        "; it must be float64, float32, int64, int32, uint32, bool, float or int");
    }

    std::uint32_t extent(const char* key, const std::string& name, const json& value) const {
        if (!value.is_number_integer() || value.get<std::int64_t>() < 1 || value.get<std::int64_t>() > UINT32_MAX)
            refuse(key,
                   "gives '" + shortened(name) + "' the extent " + show(value) + "; it must be an int of at least 1");
        return static_cast<std::uint32_t>(value.get<std::int64_t>());
    }

    void shape(const char* key, const json& value, Parameter& parameter) const {
        if (!value.is_array() || value.size() != 2)
            refuse(key, "gives '" + shortened(parameter.name) + "' the shape " + show(value) +
                            "; it must be [rows, columns]");
        parameter.rows = extent(key, parameter.name, value[0]);
        parameter.cols = extent(key, parameter.name, value[1]);
        if (std::uint64_t{parameter.rows} * parameter.cols > UINT32_MAX)
            refuse(key, "gives '" + shortened(parameter.name) + "' the shape " + show(value) +
                            "; it must have fewer than 2^32 elements");
        parameter.matrix = true;
    }

    // The value that `key`, an object by plane name, has for this plane.
    const json* of_plane(const char* key, const std::string& name) const {
        const json* table = fields_.find(key);
        if (!table) return nullptr;
        if (!table->is_object()) fields_.refuse(key, "an object by plane name");
        const auto it = table->find(name);
        return it == table->end() || it->is_null() ? nullptr : &*it;
    }

    void read_params() {
        if (!fields_.has("params")) return;
        if (fields_.has("params_schema") && fields_.integer("params_schema") != 2) fields_.refuse("params_schema", "2");
        const bool bare = !fields_.has("params_schema");
        for (const json& item : fields_.list("params")) {
            if (bare && item.is_string()) {
                params_[item.get<std::string>()] = scalar_;
                continue;
            }
            const std::string where = fields_.document() + ", params";
            const Fields param(item, where);
            const std::string type = param.text_of("dtype", {"float", "int"});
            params_[param.text("name")] = type == "int" ? Dtype::int64 : scalar_;
        }
    }

    void read_mutables() {
        if (!fields_.has("mutables")) return;
        for (const json& item : fields_.list("mutables")) {
            const std::string where = fields_.document() + ", mutables";
            const Fields entry(item, where);
            mutables_[entry.text("name")] = &item;
            entry.text_of("dtype", {"scalar", "vector", "matrix", "int", "int32", "uint32"});
            if (entry.has("prior")) entry.flag("prior");
        }
    }

    void complete(Parameter& parameter) const {
        switch (parameter.role) {
            case Role::terminated:
                parameter.dtype = Dtype::boolean;
                return;
            case Role::nsamples:
                parameter.dtype = Dtype::uint32;
                return;
            case Role::uniform:
                complete_uniform(parameter);
                return;
            case Role::mutable_:
                complete_mutable(parameter);
                return;
            default:
                complete_plane(parameter);
        }
    }

    void complete_uniform(Parameter& parameter) const {
        const auto it = params_.find(parameter.name);
        if (it == params_.end())
            refuse("arg_spec", "has the uniform '" + shortened(parameter.name) + "', which 'params' does not declare");
        parameter.dtype = it->second;
    }

    void complete_mutable(Parameter& parameter) const {
        const auto it = mutables_.find(parameter.name);
        if (it == mutables_.end()) {
            if (!parameter.supplied())
                refuse("arg_spec",
                       "has the mutable '" + shortened(parameter.name) + "', which 'mutables' does not declare");
            parameter.dtype = Dtype::int64;
            parameter.prior = true;
            return;
        }
        const json& entry = *it->second;
        const std::string kind = entry.at("dtype").get<std::string>();
        parameter.dtype = dtype("mutables", parameter.name, entry.at("dtype"));
        parameter.prior = entry.value("prior", true);
        parameter.vector_view = kind == "vector" || kind == "matrix";
        const std::uint32_t width = entry.contains("width") ? extent("mutables", parameter.name, entry["width"]) : 1;
        if (kind == "matrix") {
            const json* found = entry.contains("shape") ? &entry["shape"] : of_plane("mat_shapes", parameter.name);
            if (!found)
                refuse("mutables",
                       "gives the matrix '" + shortened(parameter.name) + "' no shape; it needs [rows, columns]");
            shape("mutables", *found, parameter);
        } else {
            parameter.rows = width;
        }
        if (parameter.width() != width && (kind != "matrix" || entry.contains("width")))
            refuse("mutables", "gives '" + shortened(parameter.name) + "' the width " + std::to_string(width) +
                                   ", which its shape contradicts");
        if (!parameter.vector_view && width != 1)
            refuse("mutables", "gives '" + shortened(parameter.name) + "' of dtype '" + kind + "' the width " +
                                   std::to_string(width) + "; only a vector or a matrix is wider than 1");
        check_width(parameter);
    }

    void complete_plane(Parameter& parameter) const {
        parameter.vector_view =
            parameter.role == Role::out || parameter.role == Role::vec_in || parameter.role == Role::mat_in;
        const json* type = of_plane("arg_dtypes", parameter.name);
        parameter.dtype = type ? dtype("arg_dtypes", parameter.name, *type) : scalar_;
        if (const json* rows_columns = of_plane("mat_shapes", parameter.name)) {
            shape("mat_shapes", *rows_columns, parameter);
        } else if (parameter.role == Role::mat_in) {
            refuse("mat_shapes",
                   "has no shape for the matrix '" + shortened(parameter.name) + "'; it needs [rows, columns]");
        } else if (const json* width = of_plane("arg_widths", parameter.name)) {
            parameter.rows = extent("arg_widths", parameter.name, *width);
        } else if (parameter.role == Role::vec_in) {
            refuse("arg_widths", "has no width for the vector '" + shortened(parameter.name) + "'");
        }
        check_width(parameter);
    }

    void check_width(const Parameter& parameter) const {
        const json* width = of_plane("arg_widths", parameter.name);
        if (width && extent("arg_widths", parameter.name, *width) != parameter.width())
            refuse("arg_widths", "gives '" + shortened(parameter.name) + "' the width " + show(*width) +
                                     ", where the sidecar's other keys say " + std::to_string(parameter.width()));
        if (parameter.role == Role::per_sample && parameter.width() != 1)
            refuse("arg_widths", "gives the per-sample scalar '" + shortened(parameter.name) + "' the width " +
                                     std::to_string(parameter.width()) +
                                     "; a wider plane has the role vec_in or mat_in");
    }

    const Fields& fields_;
    Dtype scalar_;
    std::map<std::string, Dtype> params_;
    std::map<std::string, const json*> mutables_;
};

}  // namespace

std::vector<Parameter> read_parameters(const Fields& fields, Dtype scalar) { return Reader(fields, scalar).read(); }

}  // namespace eagle::artifact
