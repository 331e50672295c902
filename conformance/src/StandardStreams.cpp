#include "StandardStreams.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <ostream>
#include <stdexcept>

namespace eagle::conformance {
namespace {

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) != -1; }

}  // namespace

void prepare_standard_streams() {
    std::signal(SIGPIPE, SIG_IGN);
    const bool told = is_open(STDOUT_FILENO);
    // The lowest free number is taken, and the loop fills them from 0 on.
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (!is_open(descriptor)) (void)::open("/dev/null", O_RDWR);
    }
    if (!told) throw std::runtime_error("standard output is closed; the report goes there: leave it open");
}

void require_written(std::ostream& out) {
    out.flush();
    if (!out) {
        throw std::runtime_error(
            "standard output takes no more, so that the report is not whole: give it a file with room or a reader that "
            "stays");
    }
}

}  // namespace eagle::conformance
