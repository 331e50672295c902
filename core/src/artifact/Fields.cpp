#include "artifact/Fields.h"

#include <eagle/Error.h>

#include <algorithm>

#include "artifact/Json.h"

namespace eagle::artifact {

using nlohmann::json;

Fields::Fields(const json& value, const std::string& document) : object_(value), document_(document) {
    if (!value.is_object()) throw InvalidArgument(document + ": holds " + show(value) + "; it must hold an object");
}

const json* Fields::find(const char* key) const {
    const auto it = object_.find(key);
    return it == object_.end() ? nullptr : &*it;
}

const json& Fields::at(const char* key) const {
    if (const json* value = find(key)) return *value;
    throw InvalidArgument(document_ + ": the key '" + key + "' is missing; it is required and nothing is guessed");
}

void Fields::refuse(const char* key, const std::string& needed) const {
    throw InvalidArgument(document_ + ": '" + key + "' is " + show(at(key)) + "; it must be " + needed);
}

std::string Fields::text(const char* key) const {
    const json& value = at(key);
    if (!value.is_string()) refuse(key, "a string");
    return value.get<std::string>();
}

std::string Fields::text_of(const char* key, std::initializer_list<std::string_view> choices) const {
    const std::string value = text(key);
    if (std::find(choices.begin(), choices.end(), value) == choices.end()) refuse(key, choices_text(choices));
    return value;
}

std::string Fields::text_or(const char* key, const char* fallback) const { return has(key) ? text(key) : fallback; }

bool Fields::flag(const char* key) const {
    const json& value = at(key);
    if (!value.is_boolean()) refuse(key, "true or false");
    return value.get<bool>();
}

bool Fields::flag_or(const char* key, bool fallback) const { return has(key) ? flag(key) : fallback; }

std::int64_t Fields::integer(const char* key) const {
    const json& value = at(key);
    if (!value.is_number_integer()) refuse(key, "an int");
    return value.get<std::int64_t>();
}

const json& Fields::list(const char* key) const {
    const json& value = at(key);
    if (!value.is_array()) refuse(key, "a list");
    return value;
}

std::vector<std::string> Fields::texts(const char* key) const {
    std::vector<std::string> out;
    for (const json& item : list(key)) {
        if (!item.is_string()) refuse(key, "a list of strings");
        out.push_back(item.get<std::string>());
    }
    return out;
}

void Fields::forbid(const char* key, const std::string& why) const {
    if (has(key))
        throw InvalidArgument(document_ + ": carries '" + key + "' (" + show(at(key)) + "), which " + why +
                              "; remove the key");
}

std::string choices_text(std::initializer_list<std::string_view> choices) {
    std::string out;
    std::size_t k = 0;
    for (std::string_view choice : choices) {
        if (k > 0) out += k + 1 == choices.size() ? " or " : ", ";
        out += "'" + std::string(choice) + "'";
        ++k;
    }
    return out;
}

std::int64_t read_schema_version(const Fields& fields) {
    const char* key = fields.has("schema_version") || !fields.has("version") ? "schema_version" : "version";
    const std::int64_t version = fields.integer(key);
    if (version < 1) fields.refuse(key, "1 or 2");
    if (version > 2)
        throw InvalidArgument(fields.document() + " was built for plugin schema v" + std::to_string(version) +
                              ", but this loader supports v2; upgrade eagle to load it");
    return version;
}

std::string read_abi_tag(const Fields& fields, std::int64_t version) {
    const std::string wanted = "aether-abi/" + std::to_string(version);
    const std::string tag = fields.text("aether_abi");
    if (tag != wanted) fields.refuse("aether_abi", "'" + wanted + "' in schema v" + std::to_string(version));
    return tag;
}

ExecutionAxis read_execution_axis(const Fields& fields, std::int64_t version) {
    ExecutionAxis axis;
    if (version == 1) {
        for (const char* key : {"exec_targets", "exec_access", "exec_op"})
            fields.forbid(key, "schema v1 has not (it came with v2)");
        return axis;
    }
    axis.targets = fields.texts("exec_targets");
    if (axis.targets.empty()) fields.refuse("exec_targets", "a non-empty list drawn from 'device' and 'host'");
    for (std::size_t i = 0; i < axis.targets.size(); ++i) {
        if (axis.targets[i] != "device" && axis.targets[i] != "host")
            fields.refuse("exec_targets", "a list drawn from 'device' and 'host'");
        for (std::size_t k = 0; k < i; ++k)
            if (axis.targets[k] == axis.targets[i]) fields.refuse("exec_targets", "a list without duplicates");
    }
    axis.access =
        fields.text_of("exec_access", {"sample_local", "cross_sample_read", "cross_sample_write", "mapreduce"});
    if (axis.access == "mapreduce")
        axis.operation = fields.text_of("exec_op", {"sum", "times", "max", "land"});
    else
        fields.forbid("exec_op", "belongs to exec_access 'mapreduce' only (here it is '" + axis.access + "')");
    return axis;
}

}  // namespace eagle::artifact
