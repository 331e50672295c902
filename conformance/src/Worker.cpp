#include "Worker.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

#include "FactsJson.h"
#include "Outcome.h"
#include "ReadFacts.h"
#include "TestKernels.h"

namespace eagle::conformance {
namespace {

using nlohmann::json;

class Reports {
  public:
    explicit Reports(int descriptor) : descriptor_(descriptor) {}
    void send(const json& report) const {
        std::string line = report.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
        for (std::size_t done = 0; done < line.size();) {
            const ssize_t written = ::write(descriptor_, line.data() + done, line.size() - done);
            if (written <= 0) throw std::runtime_error("the judge is gone");
            done += static_cast<std::size_t>(written);
        }
    }

  private:
    int descriptor_;
};

json next_order() {
    std::string line;
    if (!std::getline(std::cin, line)) throw std::runtime_error("the judge is gone");
    return json::parse(line);
}

// FNV-1a, so that a row's numbers do not depend on what runs before it.
std::uint64_t seed_of(std::uint64_t seed, const std::string& name) {
    std::uint64_t hash = 14695981039346656037u ^ seed;
    for (const char character : name) hash = (hash ^ static_cast<unsigned char>(character)) * 1099511628211u;
    return hash;
}

void run(const Row& row, Context& c) {
    try {
        row.run(c);
    } catch (const RowEnds&) {
    } catch (const std::exception& error) {
        try {
            c.fail(row.file, row.line, std::string("the row threw: ") + error.what());
        } catch (const RowEnds&) {
        }
    }
}

json judged(const Row& row, const Seam& seam, const Facts& facts, TestKernels& kernels, std::int32_t device,
            std::uint64_t seed) {
    const auto start = std::chrono::steady_clock::now();
    json report{{"ends", row.name}};
    {
        Context c(seam, facts, kernels, device, seed_of(seed, row.name));
        run(row, c);
        json failures = json::array();
        for (const Failure& f : c.failures())
            failures.push_back({{"file", f.file}, {"line", f.line}, {"text", f.text}});
        report["failures"] = failures;
        report["reason"] = c.toothless_because();
        const Outcome good = c.toothless_because().empty() ? Outcome::passed : Outcome::toothless;
        report["outcome"] = c.failures().empty() ? good : Outcome::failed;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    report["seconds"] = took.count();
    return report;
}

void work(const Reports& reports) {
    const json orders = next_order();
    const std::string file = orders.at("file"), kernels_file = orders.at("kernels");
    const std::int32_t device = orders.at("device");
    const std::uint64_t seed = orders.at("seed");
    const Seam seam = open_seam(file);
    TestKernels kernels(seam, kernels_file, device);
    Facts facts = read_facts(seam, kernels, kernels_file, device);
    facts.file = file;
    reports.send({{"facts", facts}});

    std::map<std::string, Row> by_name;
    for (Row& row : all_rows()) by_name.emplace(row.name, row);
    const json wanted = next_order();
    for (const std::string name : wanted.at("rows")) {
        reports.send({{"begins", name}});
        const json report = judged(by_name.at(name), seam, facts, kernels, device, seed);
        reports.send(report);
        if (report.at("outcome") == Outcome::failed) return;
    }
}

}  // namespace

int run_worker(int descriptor) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a terminal's interrupt reaches the judge alone
    const Reports reports(descriptor);
    try {
        work(reports);
    } catch (const std::exception& error) {
        reports.send({{"refused", error.what()}});
    }
    return 0;
}

}  // namespace eagle::conformance
