// A worker process: lines to it, lines from it, by a deadline.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

namespace eagle::conformance {

// Of waitpid's status: "signal 11 (Segmentation fault)", "exit status 3", or "" for a clean end.
std::string how_it_ended(int status);

class Process {
  public:
    // Starts this program again as a worker. Throws std::system_error.
    Process();
    // Ends it where it still runs.
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // False where the process is gone.
    bool send(const std::string& line);
    // The next line, or as much of one as no report is long. None when the process has ended, or at the deadline
    // (timed_out() tells which).
    std::optional<std::string> receive(std::chrono::steady_clock::time_point deadline);
    bool timed_out() const { return timed_out_; }
    // Waits for its end and says how it ended, as how_it_ended does. At the deadline it is ended and the text says
    // that. What it started and left ends with it.
    std::string end(std::chrono::steady_clock::time_point deadline);

  private:
    bool take_line(std::string& line);
    int reap();
    pid_t id_ = -1;
    int orders_ = -1, reports_ = -1;
    bool timed_out_ = false;
    std::string buffer_;
    std::size_t searched_ = 0;  // of the buffer, for the end of a line
};

}  // namespace eagle::conformance
