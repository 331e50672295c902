// Facts as JSON: how they come from the process that opened the file to the one that judges, and into the report.
#pragma once
#include <eagle/conformance/Facts.h>

#include <nlohmann/json.hpp>

namespace eagle::conformance {

void to_json(nlohmann::json& to, const Facts& facts);
void from_json(const nlohmann::json& from, Facts& facts);

}  // namespace eagle::conformance
