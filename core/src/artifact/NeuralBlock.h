// The descriptor of a neural block: recognised and validated, never launched.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace eagle::artifact {

// Throws InvalidArgument naming the key.
void check_neural_block(const nlohmann::json& value, const std::string& document);

}  // namespace eagle::artifact
