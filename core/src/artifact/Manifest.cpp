#include <eagle/Artifact.h>

#include <set>

#include "artifact/Fields.h"
#include "artifact/Json.h"
#include "artifact/NeuralBlock.h"

namespace eagle {
namespace {

using artifact::Fields;
using nlohmann::json;

// A name of a file in the folder itself: a path could lead out of it.
std::string file_name(const Fields& fields, const char* key) {
    const std::string name = fields.text(key);
    if (name.empty() || name == "." || name == ".." || name.find_first_of(std::string_view("/\\\0", 3)) != name.npos)
        fields.refuse(key, "the name of a file inside the artifact folder");
    return name;
}

PluginRecord read_record(const json& value, const std::string& document, std::size_t index) {
    const std::string where = document + ", plugins[" + std::to_string(index) + "]";
    const Fields fields(value, where);
    PluginRecord record;
    record.id = fields.text("id");
    if (record.id.empty()) fields.refuse("id", "a non-empty string");
    record.order = fields.integer("order");
    if (record.order != static_cast<std::int64_t>(index))
        fields.refuse("order", "its index in the list, " + std::to_string(index));
    record.enabled = fields.flag("enabled");
    record.artifact = file_name(fields, "artifact");
    record.sidecar = file_name(fields, "sidecar");
    record.format = fields.text_of("format", {"ptx", "cubin", "fatbin", "hsaco", "host"});
    return record;
}

}  // namespace

Manifest Manifest::parse(std::string_view text, const std::string& name) {
    const json document = artifact::parse_json(text, name);
    const Fields fields(document, name);
    Manifest out;
    out.schema_version = artifact::read_schema_version(fields);
    out.pattern = fields.text_of("pattern", {"vector", "pure", "neural_block"});
    out.aether_abi = artifact::read_abi_tag(fields, out.schema_version);
    artifact::ExecutionAxis axis = artifact::read_execution_axis(fields, out.schema_version);
    out.exec_targets = std::move(axis.targets);
    out.exec_access = std::move(axis.access);
    out.exec_op = std::move(axis.operation);
    if (out.pattern == "neural_block") {
        std::size_t index = 0;
        for (const json& block : fields.list("blocks"))
            artifact::check_neural_block(block, name + ", blocks[" + std::to_string(index++) + "]");
    } else {
        fields.forbid("blocks", "belongs to pattern 'neural_block' only (here it is '" + out.pattern + "')");
    }
    std::set<std::string> ids;
    for (const json& plugin : fields.list("plugins")) {
        out.plugins.push_back(read_record(plugin, name, out.plugins.size()));
        if (!ids.insert(out.plugins.back().id).second)
            throw InvalidArgument(name + ": two plugin records have the id '" +
                                  artifact::shortened(out.plugins.back().id) + "'; an id names one record");
    }
    return out;
}

}  // namespace eagle
