#include <eagle/conformance/Program.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "Exclusions.h"
#include "JsonReport.h"
#include "Judge.h"
#include "Options.h"
#include "StandardStreams.h"
#include "Tap.h"
#include "Worker.h"
#include "random/Apart.h"
#include "random/RandomMode.h"

namespace eagle::conformance {
namespace {

// Where the kit's own kernels lie, from this program's folder: installed, or in the build tree.
std::string kernels_of_the_kit() {
    std::error_code trouble;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", trouble);
    if (trouble) return "";
    for (const char* place : {EAGLE_CONFORMANCE_KERNELS, EAGLE_CONFORMANCE_BUILT_KERNELS}) {
        const auto file = (program.parent_path() / place).lexically_normal();
        if (std::filesystem::exists(file, trouble)) return file.string();
    }
    return "";
}

void print_list(std::ostream& out, const std::vector<Row>& rows) {
    std::size_t widest = 0;
    for (const Row& row : rows) widest = std::max(widest, row.name.size());
    for (const Row& row : rows) {
        out << row.name << std::string(widest + 2 - row.name.size(), ' ');
        for (std::size_t i = 0; i < row.covers.size(); ++i) out << (i ? " " : "") << name_of(row.covers[i]);
        out << '\n';
    }
}

int exit_code(const std::vector<Result>& results, bool require_teeth) {
    auto any = [&](Outcome outcome) {
        return std::any_of(results.begin(), results.end(), [&](const Result& r) { return r.outcome == outcome; });
    };
    if (any(Outcome::failed) || any(Outcome::unexpected_pass)) return some_failed;
    if (require_teeth && any(Outcome::toothless)) return some_failed;
    return any(Outcome::not_run) ? not_all_ran : all_passed;
}

void require_file(const char* option, const std::string& path) {
    std::error_code trouble;
    if (!path.empty() && !std::filesystem::is_regular_file(path, trouble)) {
        throw UsageError(std::string(option) + ": there is no file '" + path + "'");
    }
}

// Before anything runs: a report that cannot be kept, or that would be written over what it is about.
void require_place(const Options& options) {
    if (options.json.empty()) return;
    const std::pair<const char*, std::string> read[] = {{"the file to judge", options.file},
                                                        {"the test kernels", options.kernels},
                                                        {"the exclusions", options.exclusions}};
    for (const auto& [what, path] : read) {
        std::error_code trouble;
        if (!path.empty() && std::filesystem::equivalent(options.json, path, trouble)) {
            throw UsageError("--json: '" + options.json + "' is " + what +
                             ", which the report would overwrite; name another");
        }
    }
    require_writable(options.json);
}

void find_files(Options& options) {
    require_file("file to judge", options.file);
    require_file("--kernels", options.kernels);
    options.file = std::filesystem::absolute(options.file).string();  // dlopen searches for a bare name
    options.kernels =
        options.kernels.empty() ? kernels_of_the_kit() : std::filesystem::absolute(options.kernels).string();
    require_place(options);
}

int judge(Options options) {
    const std::vector<Row> every = all_rows(), rows = picked(every, options.rows);
    find_files(options);
    const Exclusions exclusions = read_exclusions(options.exclusions, every);
    Judge judge(options, exclusions);
    const Facts facts = judge.facts();
    const std::string hash = hash_of_file(options.file);
    check_unsupported(exclusions, every, facts);
    Tap tap(std::cout, options.require_teeth);
    tap.begin(facts, rows.size());
    require_written(std::cout);
    const std::vector<Result> results = judge.judge(rows, facts, [&](const Result& result) {
        tap.tell(result);
        require_written(std::cout);
    });
    tap.end(results);
    require_written(std::cout);
    require_unchanged(options.file, hash);
    const int code = exit_code(results, options.require_teeth);
    if (!options.json.empty()) write_json(options, facts, hash, results, code);
    return code;
}

int run_random(Options options) {
    find_files(options);
    auto body = [&] {
        const int code = random::run_random_mode(options, std::cout);
        require_written(std::cout);
        return code;
    };
    return random::run_apart(body, options.file, options.timeout, std::cout);
}

int run(int argc, char** argv) {
    const Options options = read_options(argc, argv);
    if (options.worker) return run_worker(*options.worker);
    if (options.help) {
        std::cout << help_text();
    } else if (options.version) {
        std::cout << "eagle-conformance " EAGLE_RELEASE "\n";
    } else if (options.list) {
        print_list(std::cout, picked(all_rows(), options.rows));
    } else {
        return options.random ? run_random(options) : judge(options);
    }
    return all_passed;
}

}  // namespace

int run_program(int argc, char** argv) {
    try {
        prepare_standard_streams();
        const int code = run(argc, argv);
        require_written(std::cout);
        return code;
    } catch (const std::exception& error) {
        std::cerr << "eagle-conformance: " << error.what() << '\n';
    }
    return cannot_judge;
}

}  // namespace eagle::conformance
