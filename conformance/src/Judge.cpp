#include "Judge.h"

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "FactsJson.h"
#include "Process.h"

namespace eagle::conformance {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

std::string orders_of(const Options& o) {
    return json{{"file", o.file}, {"kernels", o.kernels}, {"device", o.device}, {"seed", o.seed}}.dump();
}

Clock::time_point after(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Only a worker's own lines are reports; whatever else runs in its process may know the descriptor.
std::string foreign(const std::string& line) {
    const std::string shown = json(line.substr(0, 80)).dump(-1, ' ', true, json::error_handler_t::replace);
    return "its process wrote " + shown + " where the judge reads reports: write to no descriptor that is not yours";
}

bool says(const std::string& line, const char* key, const std::string& name) {
    const json report = json::parse(line, nullptr, false);
    return report.is_object() && report.contains(key) && report.at(key) == name;
}

// The first answer of a worker.
Facts opened(Process& process, const Options& options) {
    process.send(orders_of(options));
    const auto line = process.receive(after(options.timeout));
    if (!line && process.timed_out()) {
        (void)process.end(Clock::now());
        throw NotLoadable(options.file + ": its loading did not end within " + json(options.timeout).dump() +
                          " seconds and was ended; look at what the backend does in its constructors and its first "
                          "calls, or give it more time with --timeout");
    }
    if (!line) {
        const std::string end = process.end(after(options.timeout));
        throw NotLoadable(options.file +
                          ": the process that opened it gave no answer: " + (end.empty() ? "it ended" : end));
    }
    try {
        const json answer = json::parse(*line);
        if (answer.contains("refused")) throw NotLoadable(answer.at("refused").get<std::string>());
        return answer.at("facts").get<Facts>();
    } catch (const json::exception&) {
        throw NotLoadable(options.file + ": " + foreign(*line));
    }
}

Result failed(const Row& row, const std::string& text) {
    Result result{row, Outcome::failed, "", {{row.file, row.line, text}}, 0};
    result.failures[0].file.erase(0, result.failures[0].file.find_last_of('/') + 1);
    return result;
}

// None where the line is no report on the row.
std::optional<Result> result_of(const Row& row, const std::string& line) try {
    if (!says(line, "ends", row.name)) return std::nullopt;
    const json report = json::parse(line);
    Result result{row, report.at("outcome").get<Outcome>(), report.at("reason"), {}, report.at("seconds")};
    for (const json& f : report.at("failures")) result.failures.push_back({f.at("file"), f.at("line"), f.at("text")});
    return result;
} catch (const json::exception&) {
    return std::nullopt;
}

}  // namespace

// One worker and the rows it was given, of which it does some: it ends after one that fails.
class Judge::Run {
  public:
    Run(const Options& options, std::vector<Row> rows) : options_(options), rows_(std::move(rows)) {
        try {
            opened(process_, options_);
        } catch (const NotLoadable& error) {
            trouble_ = std::string("it does not open again: ") + error.what();  // it did before
            return;
        }
        json names = json::array();
        for (const Row& row : rows_) names.push_back(row.name);
        process_.send(json{{"rows", names}}.dump());
    }
    bool over() const { return over_; }
    // Not after over(). A row has passed only when its process is well afterwards too.
    Result next() {
        const Row& row = rows_[next_++];
        const auto start = Clock::now();
        if (!trouble_.empty()) return broken(row, trouble_, start);
        if (next_ == 1) {
            const std::optional<std::string> begin = receive();
            if (!begin) return ended(row, "its process ended before it began", start);
            if (!says(*begin, "begins", row.name)) return broken(row, foreign(*begin), start);
        }
        const std::optional<std::string> line = receive();
        if (!line) return ended(row, "its process ended in the middle of it", start);
        const std::optional<Result> found = result_of(row, *line);
        if (!found) return broken(row, foreign(*line), start);
        over_ = found->outcome == Outcome::failed || next_ == rows_.size();
        return over_ ? last(row, *found) : before_another(row, *found, start);
    }

  private:
    std::optional<std::string> receive() { return process_.receive(after(options_.timeout)); }
    Result last(const Row& row, const Result& found) {
        const std::string end = process_.end(after(options_.timeout));
        return end.empty() || found.outcome == Outcome::failed ? found : failed(row, "it passed, and then: " + end);
    }
    Result before_another(const Row& row, const Result& found, Clock::time_point start) {
        const std::optional<std::string> begin = receive();
        if (!begin) return ended(row, "it passed, and then its process ended", start);
        if (!says(*begin, "begins", rows_[next_].name))
            return broken(row, "it passed, and then " + foreign(*begin), start);
        return found;
    }
    Result broken(const Row& row, const std::string& why, Clock::time_point start) {
        over_ = true;
        (void)process_.end(Clock::now());
        return timed(failed(row, why), start);
    }
    static Result timed(Result result, Clock::time_point start) {
        result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return result;
    }
    Result ended(const Row& row, const std::string& text, Clock::time_point start) {
        over_ = true;
        std::string why = text + ": ";
        if (process_.timed_out()) {
            why = "it did not end within " + json(options_.timeout).dump() + " seconds, so that it was ended";
            (void)process_.end(Clock::now());
        } else {
            const std::string end = process_.end(after(options_.timeout));
            why += end.empty() ? "exit status 0" : end;
        }
        return timed(failed(row, why), start);
    }
    const Options& options_;
    std::vector<Row> rows_;
    std::string trouble_;  // that it did not open
    std::size_t next_ = 0;
    bool over_ = false;
    Process process_;
};

Judge::Judge(const Options& options, const Exclusions& exclusions) : options_(options), exclusions_(exclusions) {}

Facts Judge::facts() {
    Process process;
    return opened(process, options_);
}

// What the exclusions make of it.
Result Judge::settled(Result result) const {
    const auto expected = exclusions_.expected_failure.find(result.row.name);
    if (expected == exclusions_.expected_failure.end()) return result;
    if (result.outcome == Outcome::failed) {
        result.outcome = Outcome::expected_failure;
        result.reason = expected->second;
    } else if (result.outcome == Outcome::passed) {
        result.outcome = Outcome::unexpected_pass;
        result.reason = "the exclusions expect a failure: " + expected->second;
    }
    return result;
}

// Without a process of it: unsupported, or demanded and impossible here.
std::optional<Result> Judge::without_running(const Row& row, const Facts& facts) const {
    std::string absent = absent_for(row, facts);
    if (!absent.empty()) {
        const auto excluded = exclusions_.unsupported.find(row.name);
        if (excluded != exclusions_.unsupported.end()) absent += ": " + excluded->second;
        return Result{row, Outcome::unsupported, absent, {}, 0};
    }
    const std::string obstacle = obstacle_of(row, facts);
    if (!obstacle.empty()) return Result{row, Outcome::not_run, obstacle, {}, 0};
    return std::nullopt;
}

std::vector<Result> Judge::judge(const std::vector<Row>& rows, const Facts& facts,
                                 const std::function<void(const Result&)>& tell) {
    std::vector<Row> to_run;
    for (const Row& row : rows) {
        if (!without_running(row, facts)) to_run.push_back(row);
    }
    std::vector<Result> results;
    std::unique_ptr<Run> run;
    std::size_t ran = 0;
    for (const Row& row : rows) {
        if (const auto result = without_running(row, facts)) {
            results.push_back(*result);
        } else {
            if (!run || run->over()) {
                run = std::make_unique<Run>(options_,
                                            std::vector<Row>(to_run.begin() + std::ptrdiff_t(ran), to_run.end()));
            }
            ++ran;
            results.push_back(settled(run->next()));
        }
        tell(results.back());
    }
    return results;
}

}  // namespace eagle::conformance
