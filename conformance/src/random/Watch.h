// What a backend was doing when it ended the process or stopped answering: each thread's program, as text. It lies in
// memory that a process shares with those it forks, so that the one that waits can tell it where the other could not.
#pragma once
#include <optional>
#include <string>

namespace eagle::conformance::random {

inline constexpr unsigned most_threads = 64;

// Slot `thread` holds this text until the next call; "" empties it.
void now_running(unsigned thread, const std::string& text);

// From here on a signal that ends the process, and abort, first write every slot to standard output. Once.
void watch_signals();

// Writes every slot that has held its program for longer, and returns whether there was one.
bool report_stuck(double seconds);

// Every slot's text.
std::string all_running();

struct Ending {
    bool begun = false;       // watch_signals() was called
    bool told = false;        // what was running has been written to standard output
    std::optional<int> code;  // of a run that came to its end
};
Ending ending();
void end_with(int code);
// Before a fork: as if nothing had run.
void forget_all();

}  // namespace eagle::conformance::random
