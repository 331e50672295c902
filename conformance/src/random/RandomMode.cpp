#include "RandomMode.h"

#include <eagle/conformance/Program.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <ostream>
#include <thread>
#include <vector>

#include "../ReadFacts.h"
#include "../TestKernels.h"
#include "Growth.h"
#include "Oracle.h"
#include "Shrink.h"
#include "Watch.h"

namespace eagle::conformance::random {
namespace {

using Clock = std::chrono::steady_clock;

// Of a run that keeps nothing: the allocator's own memory goes up and down by less. A sanitizer holds back what is
// freed.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t most_bytes = std::uint64_t(1024) << 20u;
#else
constexpr std::uint64_t most_bytes = std::uint64_t(64) << 20u;
#endif
constexpr std::int64_t events_a_thread = 256;
constexpr std::uint64_t warm_after = 100;  // programs a thread
constexpr std::size_t most_questions = 400;
constexpr const char* margin = "#   ";  // a comment of TAP

struct Failed {
    std::uint64_t seed = 0;
    std::string text;
};

class Runs {
  public:
    Runs(const Seam& seam, const Facts& facts, TestKernels& kernels, const Plan& plan, const Oracle& oracle,
         std::ostream& out)
        : seam_(seam),
          facts_(facts),
          kernels_(kernels),
          plan_(plan),
          oracle_(oracle),
          out_(out),
          growth_(seam, facts) {}

    Verdict go() {
        std::vector<std::thread> threads;
        for (unsigned t = 0; t < plan_.threads; ++t) threads.emplace_back([this, t] { work(t); });
        if (!all_ended()) {
            out_ << "not ok 1 - random programs: one takes longer than --timeout" << std::endl;
            end_with(some_failed);
            std::_Exit(some_failed);  // nothing ends the thread that is stuck
        }
        for (std::thread& thread : threads) thread.join();
        return told();
    }

  private:
    std::uint64_t salt_of(std::uint64_t seed) const { return seed * 0x9e3779b97f4a7c15u + 1; }
    Finding tried(const Program& program, std::uint64_t seed) {
        Context c(seam_, facts_, kernels_, plan_.device, seed);
        return try_program(c, program, salt_of(seed), oracle_);
    }

    bool is_over() const {
        const std::chrono::duration<double> spent = Clock::now() - start_;
        return stop_.load() || (plan_.seconds > 0 && spent.count() >= plan_.seconds);
    }
    void work(unsigned thread) {
        const Abilities abilities = abilities_of(facts_);
        while (!is_over()) {
            const std::uint64_t number = next_.fetch_add(1);
            if (plan_.programs != 0 && number >= plan_.programs) break;
            const std::uint64_t seed = plan_.seed + number;
            const Program program = generate(seed, abilities);
            now_running(thread, "# program of seed " + std::to_string(seed) + ":\n" + text_of(program, margin));
            const Finding finding = tried(program, seed);
            replays_ += finding.replays;
            if (programs_.fetch_add(1) + 1 == warm_after * plan_.threads) growth_.begin();
            if (!finding.text.empty()) fail(seed, finding.text);
        }
        now_running(thread, "");
        const std::lock_guard lock(mutex_);
        ++ended_;
        changed_.notify_all();
    }
    void fail(std::uint64_t seed, const std::string& text) {
        stop_.store(true);
        const std::lock_guard lock(mutex_);
        if (!failed_) failed_ = Failed{seed, text};
    }

    // False when a program takes longer than it may.
    bool all_ended() {
        std::unique_lock lock(mutex_);
        while (!changed_.wait_for(lock, std::chrono::milliseconds(500), [&] { return ended_ == plan_.threads; })) {
            if (report_stuck(plan_.timeout)) return false;
        }
        return true;
    }

    Verdict told() {
        if (failed_) {
            tell_failure();
            return Verdict::differed;
        }
        const bool was_warm = programs_ >= warm_after * plan_.threads;
        const std::string excess = was_warm ? growth_.excess(most_bytes, events_a_thread * plan_.threads) : "";
        if (!excess.empty()) out_ << "not ok 1 - random programs keep nothing: " << excess << "\n";
        out_ << (excess.empty() ? "ok 1 - random programs\n" : "");
        out_ << "# " << programs_ << " programs from seed " << plan_.seed << " on, " << replays_ << " runs, in "
             << plan_.threads << (plan_.threads == 1 ? " thread" : " threads") << std::endl;
        return excess.empty() ? Verdict::agreed : Verdict::grew;
    }

    void tell(const char* title, const Program& program, const std::string& found) {
        out_ << "# " << title << ": " << found << "\n" << text_of(program, margin) << std::flush;
    }
    // Alone, whatever else ran beside it: a part is looked for only where that fails too.
    void tell_failure() {
        const std::uint64_t seed = failed_->seed;
        const Program whole = generate(seed, abilities_of(facts_));
        out_ << "not ok 1 - random programs: the program of seed " << seed << " (again: --random 1 --seed " << seed
             << ")\n";
        tell("what it does", whole, failed_->text);
        auto fails = [&](const Program& program) {
            now_running(0,
                        "# a part of the program of seed " + std::to_string(seed) + ":\n" + text_of(program, margin));
            return !tried(program, seed).text.empty() || !tried(program, seed).text.empty();
        };
        if (!fails(whole)) {
            out_ << "# it does not fail again by itself\n" << std::flush;
            return;
        }
        const Program part = shrink(whole, most_questions, fails);
        const std::string again = tried(part, seed).text;
        tell("the smallest part that fails", part, again.empty() ? "not in every run" : again);
    }

    const Seam& seam_;
    const Facts& facts_;
    TestKernels& kernels_;
    const Plan& plan_;
    const Oracle& oracle_;
    std::ostream& out_;
    Growth growth_;
    const Clock::time_point start_ = Clock::now();
    std::atomic<std::uint64_t> next_{0}, programs_{0}, replays_{0};
    std::atomic<bool> stop_{false};
    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned ended_ = 0;
    std::optional<Failed> failed_;
};

}  // namespace

Verdict run_programs(const Seam& seam, const Facts& facts, TestKernels& kernels, const Plan& plan, const Oracle& oracle,
                     std::ostream& out) {
    watch_signals();
    return Runs(seam, facts, kernels, plan, oracle, out).go();
}

int run_random_mode(const Options& options, std::ostream& out) {
    const Seam seam = open_seam(options.file);
    TestKernels kernels(seam, options.kernels, options.device);
    const Facts facts = read_facts(seam, kernels, options.kernels, options.device);
    std::string obstacle = absent_for_programs(facts);
    if (obstacle.empty()) obstacle = facts.unusable.empty() ? facts.kernels_trouble : facts.unusable;
    if (!obstacle.empty()) {
        out << "not ok 1 - random programs # not_run: " << obstacle << std::endl;
        return not_all_ran;
    }
    const Plan plan{*options.random, options.seed, options.threads, options.seconds, options.timeout, options.device};
    return run_programs(seam, facts, kernels, plan, &run, out) == Verdict::agreed ? all_passed : some_failed;
}

}  // namespace eagle::conformance::random
