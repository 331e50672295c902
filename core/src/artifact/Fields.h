// Typed access to the keys of a JSON object; every refusal names the document and the key and shows the value.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace eagle::artifact {

class Fields {
  public:
    // Throws InvalidArgument when `value` is no object. Keeps references: both outlive it.
    Fields(const nlohmann::json& value, const std::string& document);

    const std::string& document() const { return document_; }
    bool has(const char* key) const { return object_.contains(key); }
    // The value, which must be there. Throws InvalidArgument.
    const nlohmann::json& at(const char* key) const;
    const nlohmann::json* find(const char* key) const;

    std::string text(const char* key) const;  // a string
    std::string text_of(const char* key, std::initializer_list<std::string_view> choices) const;
    std::string text_or(const char* key, const char* fallback) const;
    bool flag(const char* key) const;
    bool flag_or(const char* key, bool fallback) const;
    std::int64_t integer(const char* key) const;  // a bool is none
    const nlohmann::json& list(const char* key) const;
    std::vector<std::string> texts(const char* key) const;  // a list of strings
    // Throws when the key is there.
    void forbid(const char* key, const std::string& why) const;
    // "<document>: '<key>' is <value>; it must be <needed>"
    [[noreturn]] void refuse(const char* key, const std::string& needed) const;

  private:
    const nlohmann::json& object_;
    const std::string& document_;
};

std::string choices_text(std::initializer_list<std::string_view> choices);  // "'a', 'b' or 'c'"

// schema_version (or its alias `version`): 1 or 2. Throws InvalidArgument; for a later one with the sentence that every
// loader of this family prints.
std::int64_t read_schema_version(const Fields& fields);
// aether_abi: the tag of that version.
std::string read_abi_tag(const Fields& fields, std::int64_t version);

struct ExecutionAxis {
    std::vector<std::string> targets;
    std::string access, operation;
};
// exec_targets, exec_access, exec_op: required in version 2 (exec_op with mapreduce only), forbidden in version 1.
ExecutionAxis read_execution_axis(const Fields& fields, std::int64_t version);

}  // namespace eagle::artifact
