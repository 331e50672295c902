#include <eagle/Artifact.h>

#include "artifact/Fields.h"
#include "artifact/Json.h"
#include "artifact/NeuralBlock.h"
#include "artifact/SidecarPlanes.h"

namespace eagle {
namespace {

using artifact::Fields;
using nlohmann::json;

std::string non_empty(const Fields& fields, const char* key) {
    std::string value = fields.text(key);
    if (value.empty()) fields.refuse(key, "a non-empty string");
    return value;
}

std::vector<SidecarEntries> read_entries(const Fields& fields) {
    std::vector<SidecarEntries> out;
    if (!fields.at("entries").is_object()) fields.refuse("entries", "an object by target");
    for (const auto& [target, value] : fields.at("entries").items()) {
        const std::string where = fields.document() + ", entries." + artifact::shortened(target);
        const Fields entry(value, where);
        out.push_back({target, non_empty(entry, "step"), entry.has("run") ? non_empty(entry, "run") : ""});
    }
    return out;
}

// What a finishing kernel needs beside its own arguments.
void check_finish(const Fields& fields, const Signature& signature, const std::vector<SidecarEntries>& entries) {
    if (!signature.finish_mask.empty()) {
        const int mask = signature.find(signature.finish_mask);
        if (mask < 0 || signature.parameters[static_cast<std::size_t>(mask)].role != Role::terminated)
            throw InvalidArgument(fields.document() + ": 'finish' names the mask '" +
                                  artifact::shortened(signature.finish_mask) +
                                  "', which arg_spec does not have with the role terminated");
        if (signature.terminated_readonly)
            throw InvalidArgument(fields.document() +
                                  ": 'terminated_readonly' is true, but 'finish' says that the kernel "
                                  "sets its mask; one of them is wrong");
    }
    for (const SidecarEntries& entry : entries) {
        if (entry.run.empty()) continue;
        if (signature.finish_mask.empty())
            throw InvalidArgument(fields.document() + ": target '" + artifact::shortened(entry.target) +
                                  "' has a run entry, but the kernel has "
                                  "no 'finish'; only a finishing kernel can run to its end");
        for (const char* name : {"__control", "__next", "__steps"})
            if (signature.find(name) < 0)
                throw InvalidArgument(fields.document() + ": target '" + artifact::shortened(entry.target) +
                                      "' has a run entry, but arg_spec has "
                                      "no plane '" +
                                      name + "', through which a run is steered");
    }
}

void check_derivative(const json& value, const std::string& document) {
    const std::string where = document + ", derivative";
    const Fields fields(value, where);
    fields.text_of("kind", {"vjp", "jvp"});
    non_empty(fields, "primal");
    fields.texts("wrt");
}

Sidecar neural_block(const json& document, const Fields& fields, Sidecar out) {
    artifact::check_neural_block(document, fields.document());
    out.signature.kernel = fields.text("kernel");
    out.signature.scalar = fields.text("scalar_type") == "float32" ? Dtype::float32 : Dtype::float64;
    return out;
}

}  // namespace

Sidecar Sidecar::parse(std::string_view text, const std::string& name) {
    const json document = artifact::parse_json(text, name);
    const Fields fields(document, name);
    Sidecar out;
    out.schema_version = artifact::read_schema_version(fields);
    out.pattern = fields.text_of("pattern", {"vector", "pure", "neural_block"});
    if (out.pattern == "neural_block") return neural_block(document, fields, std::move(out));

    out.aether_abi = artifact::read_abi_tag(fields, out.schema_version);
    artifact::ExecutionAxis axis = artifact::read_execution_axis(fields, out.schema_version);
    out.exec_access = std::move(axis.access);
    out.exec_op = std::move(axis.operation);
    out.digest = fields.text_or("digest", "");
    if (fields.has("host_cpu")) out.host_cpu = fields.texts("host_cpu");

    Signature& signature = out.signature;
    signature.kernel = non_empty(fields, "kernel");
    signature.scalar =
        fields.text_of("scalar_type", {"float64", "float32"}) == "float32" ? Dtype::float32 : Dtype::float64;
    signature.parameters = artifact::read_parameters(fields, signature.scalar);
    signature.terminated_readonly = fields.flag_or("terminated_readonly", false);
    if (const json* finish = fields.find("finish")) {
        const std::string where = name + ", finish";
        signature.finish_mask = non_empty(Fields(*finish, where), "mask");
    }
    if (const json* derivative = fields.find("derivative")) check_derivative(*derivative, name);
    if (out.schema_version == 2)
        out.entries = read_entries(fields);
    else
        out.entries.push_back({"host", signature.kernel, ""});
    check_finish(fields, signature, out.entries);
    return out;
}

}  // namespace eagle
