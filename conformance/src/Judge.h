// Runs rows in worker processes and says what became of each.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "Exclusions.h"
#include "Options.h"
#include "Outcome.h"

namespace eagle::conformance {

// The file does not open, or does not answer as a backend must; exit code 2.
struct NotLoadable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Judge {
  public:
    // `options.kernels` names the file of the test kernels.
    Judge(const Options& options, const Exclusions& exclusions);
    // Opens the file in a process of its own and asks it. Throws NotLoadable.
    Facts facts();
    // A result for every row, in their order; `tell` hears of each as it is there.
    std::vector<Result> judge(const std::vector<Row>& rows, const Facts& facts,
                              const std::function<void(const Result&)>& tell);

  private:
    class Run;
    std::optional<Result> without_running(const Row& row, const Facts& facts) const;
    Result settled(Result result) const;
    const Options& options_;
    const Exclusions& exclusions_;
};

}  // namespace eagle::conformance
