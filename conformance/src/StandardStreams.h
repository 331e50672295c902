// The three descriptors that every process has, as the program needs them.
#pragma once
#include <iosfwd>

namespace eagle::conformance {

// Standard input and error are opened on nothing where they are closed, so that no file of ours takes their numbers; a
// reader that is gone ends no process. Throws std::runtime_error where standard output is closed.
void prepare_standard_streams();

// Throws std::runtime_error where something written to standard output is lost.
void require_written(std::ostream& out);

}  // namespace eagle::conformance
