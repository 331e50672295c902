// What a backend was doing when it ended the process or stopped answering: each thread's program, as text.
#pragma once
#include <string>

namespace eagle::conformance::random {

inline constexpr unsigned most_threads = 64;

// Slot `thread` holds this text until the next call; "" empties it.
void now_running(unsigned thread, const std::string& text);

// From here on a signal that ends the process, and abort, first write every slot to standard output. Once.
void watch_signals();

// Writes every slot that has held its program for longer, and returns whether there was one.
bool report_stuck(double seconds);

}  // namespace eagle::conformance::random
