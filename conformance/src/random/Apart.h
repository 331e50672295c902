// A run in a process of its own: a backend that ends its process cannot end the report with it.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>

namespace eagle::conformance::random {

// Forks, and the child does `body`, which returns an exit code of Program.h. Returns that code. Where the child ends in
// another way, tells on `out` how, and which programs ran (Watch.h), and returns some_failed; `timeout` in seconds is
// what the child has to end after its body. Throws std::runtime_error naming `file` where the child ends before any
// program. SIGINT and SIGTERM reach the child, and then end this process too. No other thread may run.
int run_apart(const std::function<int()>& body, const std::string& file, double timeout, std::ostream& out);

}  // namespace eagle::conformance::random
