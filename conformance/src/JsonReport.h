// The report as JSON, format eagle-conformance/1; docs/conformance.md lists its keys.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "Options.h"
#include "Outcome.h"

namespace eagle::conformance {

// SHA-256 of a file; "" where it cannot be read.
std::string hash_of_file(const std::string& path);

// Throws UsageError where the file is not any more what it was.
void require_unchanged(const std::string& path, const std::string& file_hash);

// Throws UsageError where a report cannot be written there; leaves what is there as it is.
void require_writable(const std::string& path);

// Throws UsageError where the file cannot be written.
void write_json(const Options& options, const Facts& facts, const std::string& file_hash,
                const std::vector<Result>& results, int exit_code);

}  // namespace eagle::conformance
