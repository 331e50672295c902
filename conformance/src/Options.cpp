#include "Options.h"

#include <fnmatch.h>
#include <getopt.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace eagle::conformance {
namespace {

template <class T>
T number(const std::string& option, const std::string& text, T least, const char* needed) {
    T value{};
    const auto [end, trouble] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (trouble != std::errc() || end != text.data() + text.size() || !(value >= least)) {
        throw UsageError(option + " is '" + text + "'; it must be " + needed);
    }
    return value;
}

constexpr double least_seconds = 0.001, most_seconds = 1e6;  // milliseconds of it still fit an int

double seconds_of(const std::string& option, const std::string& text) {
    constexpr const char* needed = "a number of seconds, 0.001 to 1000000";
    const double value = number<double>(option, text, least_seconds, needed);
    if (value > most_seconds) throw UsageError(option + " is '" + text + "'; it must be " + needed);
    return value;
}

std::string file_name(const std::string& option, const std::string& text) {
    if (text.empty()) throw UsageError(option + " is ''; it must be the name of a file");
    return text;
}

enum Key {
    rows = 1,
    device,
    json,
    kernels,
    exclusions,
    seed,
    timeout,
    list,
    require_teeth,
    random_mode,
    threads,
    seconds,
    help,
    version,
    worker
};

const option long_options[] = {{"rows", required_argument, nullptr, rows},
                               {"device", required_argument, nullptr, device},
                               {"json", required_argument, nullptr, json},
                               {"kernels", required_argument, nullptr, kernels},
                               {"exclusions", required_argument, nullptr, exclusions},
                               {"seed", required_argument, nullptr, seed},
                               {"timeout", required_argument, nullptr, timeout},
                               {"list", no_argument, nullptr, list},
                               {"require-teeth", no_argument, nullptr, require_teeth},
                               {"random", required_argument, nullptr, random_mode},
                               {"threads", required_argument, nullptr, threads},
                               {"seconds", required_argument, nullptr, seconds},
                               {"help", no_argument, nullptr, help},
                               {"version", no_argument, nullptr, version},
                               {"worker", required_argument, nullptr, worker},
                               {nullptr, 0, nullptr, 0}};

void take(Options& o, int key, const std::string& text) {
    switch (key) {
        case rows:
            o.rows = text;
            break;
        case device:
            o.device = number<std::int32_t>("--device", text, 0, "an ordinal, 0 or more");
            break;
        case json:
            o.json = file_name("--json", text);
            break;
        case kernels:
            o.kernels = file_name("--kernels", text);
            break;
        case exclusions:
            o.exclusions = file_name("--exclusions", text);
            break;
        case seed:
            o.seed = number<std::uint64_t>("--seed", text, 0, "a whole number, 0 or more");
            break;
        case timeout:
            o.timeout = seconds_of("--timeout", text);
            break;
        case list:
            o.list = true;
            break;
        case require_teeth:
            o.require_teeth = true;
            break;
        case random_mode:
            o.random =
                number<std::uint64_t>("--random", text, 0, "a number of programs, 0 for as many as --seconds allows");
            break;
        case threads:
            o.threads = number<unsigned>("--threads", text, 1, "1 to 64");
            if (o.threads > 64) throw UsageError("--threads is '" + text + "'; it must be 1 to 64");
            break;
        case seconds:
            o.seconds = seconds_of("--seconds", text);
            break;
        case help:
            o.help = true;
            break;
        case version:
            o.version = true;
            break;
        case worker:
            o.worker = number<int>("--worker", text, 0, "a descriptor");
            break;
    }
}

void check_random(const Options& o) {
    const bool has_part = o.threads != 1 || o.seconds > 0;
    if (!o.random && has_part) throw UsageError("--threads and --seconds are of the random programs; add --random N");
    if (!o.random) return;
    if (*o.random == 0 && o.seconds <= 0) throw UsageError("--random 0 goes on without end; bound it with --seconds");
    if (o.rows != "*" || o.list || !o.json.empty() || !o.exclusions.empty()) {
        throw UsageError("--random runs no rows; leave out --rows, --list, --json and --exclusions");
    }
}

std::string option_at(char** argv) { return argv[optind - 1]; }

std::vector<std::string> parts_of(const std::string& pattern) {
    std::vector<std::string> parts;
    std::istringstream text(pattern);
    for (std::string part; std::getline(text, part, ',');) parts.push_back(part);
    if (parts.empty()) parts.emplace_back();
    return parts;
}

}  // namespace

Options read_options(int argc, char** argv) {
    Options o;
    optind = 1;
    opterr = 0;
    for (int key; (key = getopt_long(argc, argv, ":", long_options, nullptr)) != -1;) {
        if (key == '?')
            throw UsageError("there is no option '" + option_at(argv) + "', or it takes no value; see --help");
        if (key == ':') throw UsageError("the option '" + option_at(argv) + "' needs a value; see --help");
        take(o, key, optarg ? optarg : "");
    }
    check_random(o);
    const int files = argc - optind;
    if (o.list || o.help || o.version || o.worker) {
        if (files > 0) throw UsageError("'" + std::string(argv[optind]) + "' is one too many; see --help");
        return o;
    }
    if (files != 1) {
        throw UsageError("found " + std::to_string(files) +
                         " files to judge, needed one: eagle-conformance "
                         "<libeagle_kind.so>; see --help");
    }
    o.file = file_name("file to judge", argv[optind]);
    return o;
}

bool matches(const std::string& name, const std::string& pattern) {
    return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

std::vector<Row> picked(const std::vector<Row>& rows, const std::string& pattern) {
    const std::vector<std::string> parts = parts_of(pattern);
    for (const std::string& part : parts) {
        if (std::none_of(rows.begin(), rows.end(), [&](const Row& row) { return matches(row.name, part); })) {
            throw UsageError("--rows: no row is named '" + part + "'; --list prints them");
        }
    }
    std::vector<Row> wanted;
    for (const Row& row : rows) {
        auto picks = [&](const std::string& part) { return matches(row.name, part); };
        if (std::any_of(parts.begin(), parts.end(), picks)) wanted.push_back(row);
    }
    return wanted;
}

std::string help_text() {
    return R"(usage: eagle-conformance [options] <libeagle_kind.so>

Judges a backend by its file: rows of what the seam eagle-backend/1 promises, each run against it. The report goes to standard
output as TAP 14; what the backend itself prints goes to standard error.

  --list               print the rows and what each covers, and end
  --rows PATTERNS      only these rows: names with '*', separated by commas
  --device N           the device to judge (default 0)
  --kernels FILE       the test kernels in this kind's format (default: those for shared objects of the host)
  --exclusions FILE    the backend's own list of what it does not support and what is known to fail
  --json FILE          write the report as JSON too
  --seed N             of all random numbers (default 1)
  --timeout SECONDS    for one row (default 60)
  --require-teeth      a toothless row is a failure
  --random N           instead of rows, N programs of launches, copies, forks, conditionals and host functions from seeds, each
                       against a sequential oracle (0: as many as --seconds allows); a failure prints its program as text
  --threads N          programs at once, each on a thread of its own (default 1)
  --seconds S          start no program after so long
  --help, --version

exit status: 0 every demanded row ran and passed; 1 a row failed; 2 the command line is wrong, the file does not load or
changes meanwhile, the report cannot be written; 3 none failed, and a demanded row did not run
)";
}

}  // namespace eagle::conformance
