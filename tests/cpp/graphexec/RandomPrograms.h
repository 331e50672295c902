// Random programs in every way that they run.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "Eager.h"
#include "Generate.h"
#include "Interpret.h"
#include "Lowered.h"

namespace graphexec_test {

using Bits = std::vector<std::uint64_t>;

// Of a kind's variable, for the graphs that are lowered meanwhile.
class Schedule {
  public:
    Schedule(const char* variable, const std::string& value) : variable_(variable) {
        if (const char* before = std::getenv(variable)) before_ = before;
        setenv(variable, value.c_str(), 1);
    }
    ~Schedule() { before_ ? setenv(variable_, before_->c_str(), 1) : unsetenv(variable_); }
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

  private:
    const char* variable_;
    std::optional<std::string> before_;
};

// Each runs a program twice: what the first run left is what the second begins with.
struct Ran {
    Bits contents;
    std::vector<std::string> nodes;  // of the second run, in their order
};
inline Ran by_oracle(std::uint64_t seed, const graphtest::Shape& shape) {
    graphtest::Program program(seed, shape);
    graphtest::Interpreter interpreter(program.description());
    interpreter.run();
    interpreter.run();
    return {program.contents(), interpreter.ran()};
}

// `device`: where the planes lie, if not on the host.
inline Ran eagerly(std::uint64_t seed, const graphtest::Shape& shape, const eagle::Module& builtin,
                   const std::optional<eagle::Backend>& device = {}) {
    graphtest::Program program(seed, shape, device);
    graphtest::Eager eager(program.description(), builtin);
    eager.run();
    eager.run();
    return {program.contents(), eager.ran()};
}

inline Bits replayed(std::uint64_t seed, const graphtest::Shape& shape, std::uint32_t branches,
                     const eagle::Backend& backend, const std::optional<eagle::Backend>& device = {}) {
    graphtest::Program program(seed, shape, device);
    eagle::LowerOptions options;
    options.branches = branches;
    const std::shared_ptr<const GraphDescription> description(&program.description(), [](const void*) {});
    BuiltGraph graph = eagle::lower(description, eagle::Executor(backend), options);
    graph.launch(2).synchronize();
    return program.contents();
}

}  // namespace graphexec_test
