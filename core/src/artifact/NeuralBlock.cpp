#include "artifact/NeuralBlock.h"

#include <eagle/Error.h>

#include "artifact/Fields.h"
#include "artifact/Json.h"

namespace eagle::artifact {
namespace {

using nlohmann::json;

std::int64_t extent(const Fields& fields, const char* key, std::int64_t least) {
    const std::int64_t value = fields.integer(key);
    if (value < least || value >= std::int64_t{0x100000000})
        fields.refuse(key, least == 0 ? "an int from 0 to 2^32 - 1" : "an int from 1 to 2^32 - 1");
    return value;
}

bool is_empty(const json& value) {
    return value.is_null() || ((value.is_array() || value.is_object()) && value.empty()) || value == "";
}

// A closed object: its keys share names with the descriptor's own, so each is read inside its bounds only.
void check_reference(const Fields& fields, const char* key) {
    const std::string where = fields.document() + ", " + key;
    const Fields reference(fields.at(key), where);
    reference.text_of("kind", {"kernel"});
    if (reference.text("kernel").empty()) reference.refuse("kernel", "the id of a kernel");
    for (const auto& [name, value] : fields.at(key).items())
        if (name != "kind" && name != "kernel")
            throw InvalidArgument(where + ": has the unknown key '" + shortened(name) +
                                  "'; it may hold 'kind' and 'kernel' only");
}

}  // namespace

void check_neural_block(const json& value, const std::string& document) {
    const Fields fields(value, document);
    if (fields.has("schema_version") || fields.has("version")) read_schema_version(fields);
    if (fields.text("kernel").empty()) fields.refuse("kernel", "a non-empty string");
    fields.text_of("scalar_type", {"float32", "float64"});
    if (!fields.list("arg_spec").empty()) fields.refuse("arg_spec", "empty in a neural block");
    for (const char* key : {"in_degree", "out_degree", "input_width", "output_width", "state_width"})
        extent(fields, key, 1);
    extent(fields, "param_width", 0);
    if (fields.integer("output_width") > fields.integer("state_width"))
        fields.refuse("output_width", "at most state_width, " + std::to_string(fields.integer("state_width")));
    fields.text_of("scatter_policy", {"unique_write", "accumulate"});
    check_reference(fields, "forward_exec");
    for (const char* key : {"vjp_exec", "jvp_exec"})
        if (fields.has(key)) check_reference(fields, key);
    for (const char* key : {"aether_abi", "derivative", "buffers", "mutables", "mat_shapes", "host_entry"})
        if (fields.has(key) && !is_empty(fields.at(key))) fields.forbid(key, "a neural block must not have");
}

}  // namespace eagle::artifact
