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

// The first answer of a worker.
Facts opened(Process& process, const Options& options) {
    process.send(orders_of(options));
    const auto line = process.receive(after(options.timeout));
    if (!line) {
        const std::string end = process.end(after(options.timeout));
        throw NotLoadable(options.file +
                          ": the process that opened it gave no answer: " + (end.empty() ? "it ended" : end));
    }
    const json answer = json::parse(*line);
    if (answer.contains("refused")) throw NotLoadable(answer.at("refused").get<std::string>());
    return answer.at("facts").get<Facts>();
}

Result failed(const Row& row, const std::string& text) {
    Result result{row, Outcome::failed, "", {{row.file, row.line, text}}, 0};
    result.failures[0].file.erase(0, result.failures[0].file.find_last_of('/') + 1);
    return result;
}

Result result_of(const Row& row, const json& report) {
    Result result{row, report.at("outcome").get<Outcome>(), report.at("reason"), {}, report.at("seconds")};
    for (const json& f : report.at("failures")) result.failures.push_back({f.at("file"), f.at("line"), f.at("text")});
    return result;
}

}  // namespace

// One worker and the rows it was given, of which it does some: it ends after one that fails.
class Judge::Run {
  public:
    Run(const Options& options, std::vector<Row> rows) : options_(options), rows_(std::move(rows)) {
        opened(process_, options_);
        json names = json::array();
        for (const Row& row : rows_) names.push_back(row.name);
        process_.send(json{{"rows", names}}.dump());
        (void)receive();  // that the first begins; where it does not, its result is missing too
    }
    bool over() const { return over_; }
    // Not after over(). A row has passed only when its process is well afterwards too.
    Result next() {
        const Row& row = rows_[next_++];
        const auto start = Clock::now();
        const std::optional<std::string> line = receive();
        if (!line) return ended(row, "its process ended in the middle of it", start);
        Result result = result_of(row, json::parse(*line));
        over_ = result.outcome == Outcome::failed || next_ == rows_.size();
        if (over_) {
            const std::string end = process_.end(after(options_.timeout));
            return end.empty() || result.outcome == Outcome::failed ? result
                                                                    : failed(row, "it passed, and then: " + end);
        }
        if (!receive()) return ended(row, "it passed, and then its process ended", start);
        return result;
    }

  private:
    std::optional<std::string> receive() { return process_.receive(after(options_.timeout)); }
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
        Result result = failed(row, why);
        result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return result;
    }
    const Options& options_;
    std::vector<Row> rows_;
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
