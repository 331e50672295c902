#include "JsonReport.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "FactsJson.h"
#include "Sha256.h"

namespace eagle::conformance {
namespace {

using nlohmann::ordered_json;

ordered_json groups_of(std::uint64_t capabilities) {
    ordered_json names = ordered_json::array();
    for (int number = 0; number < 63; ++number) {
        const std::uint64_t bit = std::uint64_t(1) << number;
        if (capabilities & bit) names.push_back(name_of_bit(bit));
    }
    return names;
}

ordered_json row_json(const Result& r) {
    ordered_json covers = ordered_json::array(), failures = ordered_json::array();
    for (const Symbol symbol : r.row.covers) covers.push_back(name_of(symbol));
    for (const Failure& f : r.failures) failures.push_back({{"file", f.file}, {"line", f.line}, {"text", f.text}});
    return {{"name", r.row.name}, {"group", r.row.group()}, {"covers", covers},    {"outcome", name_of(r.outcome)},
            {"reason", r.reason}, {"failures", failures},   {"seconds", r.seconds}};
}

ordered_json counts_of(const std::vector<Result>& results) {
    ordered_json counts;
    for (int i = 0; i <= static_cast<int>(Outcome::not_run); ++i) counts[name_of(static_cast<Outcome>(i))] = 0;
    for (const Result& result : results)
        counts[name_of(result.outcome)] = counts[name_of(result.outcome)].get<int>() + 1;
    return counts;
}

ordered_json symbols_of(const Facts& facts) {
    ordered_json names = ordered_json::array();
    for (std::size_t i = 0; i < symbol_count; ++i) {
        if (facts.present[i]) names.push_back(name_of(static_cast<Symbol>(i)));
    }
    return names;
}

// One that lies in a folder, where opening it waits for who reads. A pipe of this process's own, such as /dev/stdout
// may be, has a name of no folder.
bool is_named_pipe(const std::string& path) {
    std::error_code trouble;
    if (!std::filesystem::is_fifo(path, trouble)) return false;
    return !std::filesystem::canonical(path, trouble).empty();
}

}  // namespace

std::string hash_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return file ? sha256(file) : "";
}

void require_unchanged(const std::string& path, const std::string& file_hash) {
    const std::string after = hash_of_file(path);
    if (after == file_hash) return;
    throw UsageError("'" + path +
                     "' was changed while it was judged, so that the report is of no one file: its sha256 was " +
                     file_hash + " and is " + (after.empty() ? "that of none, it is gone" : after) +
                     "; judge a copy that nobody writes");
}

void require_writable(const std::string& path) {
    std::error_code trouble;
    const bool there = std::filesystem::exists(path, trouble);
    if (std::filesystem::is_directory(path, trouble)) {
        throw UsageError("--json: cannot write '" + path + "', which is a folder; name a file");
    }
    if (is_named_pipe(path)) {
        throw UsageError("--json: cannot write '" + path +
                         "', which is a pipe that may never be read; name a file, or /dev/stdout");
    }
    // To open a pipe would already say something to who reads it.
    const bool can = there ? ::access(path.c_str(), W_OK) == 0 : bool(std::ofstream(path));
    if (!can) throw UsageError("--json: cannot write '" + path + "'; name a file in a folder that can be written");
    if (!there) std::filesystem::remove(path, trouble);
}

void write_json(const Options& options, const Facts& facts, const std::string& file_hash,
                const std::vector<Result>& results, int exit_code) {
    ordered_json report;
    report["format"] = "eagle-conformance/1";
    report["file"] = {{"path", options.file}, {"sha256", file_hash}};
    report["build_info"] = {{"backend_kind", facts.kind},   {"eagle_version", facts.release},
                            {"archs", facts.archs},         {"cudart_version", facts.device_runtime},
                            {"major", facts.version >> 16}, {"minor", facts.version & 0xffff}};
    report["capabilities"] = groups_of(facts.capabilities);
    report["symbols"] = symbols_of(facts);
    report["device"] = {{"number", options.device},       {"name", facts.device_name},   {"uuid", facts.device_uuid},
                        {"pci_bus_id", facts.device_bus}, {"types", facts.device_types}, {"devices", facts.devices},
                        {"unusable", facts.unusable}};
    report["kernels"] = {{"path", facts.kernels}, {"trouble", facts.kernels_trouble}};
    report["seed"] = options.seed;
    report["rows_asked"] = options.rows;
    report["require_teeth"] = options.require_teeth;
    report["rows"] = ordered_json::array();
    for (const Result& result : results) report["rows"].push_back(row_json(result));
    report["counts"] = counts_of(results);
    report["exit_code"] = exit_code;

    std::ofstream out(options.json);
    out << report.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
    out.close();
    if (!out) throw UsageError("--json: cannot write '" + options.json + "'");
}

}  // namespace eagle::conformance
