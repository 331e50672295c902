#include "Watch.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>

namespace eagle::conformance::random {
namespace {

using Clock = std::chrono::steady_clock;

// A handler may only read and write: the text is ready before the program runs.
struct Slot {
    std::array<char, 32768> text{};
    std::atomic<std::size_t> size{0};
    std::atomic<Clock::rep> since{0};
};

std::array<Slot, most_threads> slots;

void say(const char* text, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::write(STDOUT_FILENO, text, size);
        if (written <= 0) return;
        text += written;
        size -= static_cast<std::size_t>(written);
    }
}

void say(const char* text) { say(text, std::strlen(text)); }

void on_signal(int number) {
    say("# the process ends by a signal (");
    const std::array<char, 3> digits{char('0' + number / 10), char('0' + number % 10), ')'};
    say(digits.data(), digits.size());
    say(" while these programs run:\n");
    for (const Slot& slot : slots) say(slot.text.data(), slot.size.load());
    std::signal(number, SIG_DFL);
    std::raise(number);
}

}  // namespace

void now_running(unsigned thread, const std::string& text) {
    Slot& slot = slots.at(thread);
    slot.size.store(0);
    const std::size_t size = std::min(text.size(), slot.text.size());
    std::copy_n(text.data(), size, slot.text.data());
    slot.since.store(Clock::now().time_since_epoch().count());
    slot.size.store(size);
}

void watch_signals() {
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT}) std::signal(number, &on_signal);
}

bool report_stuck(double seconds) {
    const auto limit = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    const Clock::rep before = (Clock::now() - limit).time_since_epoch().count();
    bool found = false;
    for (const Slot& slot : slots) {
        const std::size_t size = slot.size.load();
        if (size == 0 || slot.since.load() > before) continue;
        say("# this program does not come to an end:\n");
        say(slot.text.data(), size);
        found = true;
    }
    return found;
}

}  // namespace eagle::conformance::random
