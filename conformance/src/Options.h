// The command line of eagle-conformance.
#pragma once
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "Outcome.h"

namespace eagle::conformance {

inline constexpr const char* worker_option = "--worker";  // for Process alone

struct Options {
    std::string file;
    std::string rows = "*";
    std::int32_t device = 0;
    std::string json, kernels, exclusions;  // files; "" = none
    std::uint64_t seed = 1;
    double timeout = 60;  // seconds a row
    bool list = false, require_teeth = false, help = false, version = false;
    std::optional<std::uint64_t> random;  // programs; 0 = as many as the seconds allow
    unsigned threads = 1;
    double seconds = 0;  // 0 = no bound
    std::optional<int> worker;
};

// What is wrong with the command line or with a file it names; exit code 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

Options read_options(int argc, char** argv);
std::string help_text();

// Of these rows the ones that `pattern` picks: names with '*' for any characters, several separated by commas. Throws
// UsageError where a part picks none.
std::vector<Row> picked(const std::vector<Row>& rows, const std::string& pattern);
bool matches(const std::string& name, const std::string& pattern);

}  // namespace eagle::conformance
