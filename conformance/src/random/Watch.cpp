#include "Watch.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <system_error>

namespace eagle::conformance::random {
namespace {

using Clock = std::chrono::steady_clock;

// A handler may only read and write: the text is ready before the program runs.
struct Slot {
    std::array<char, 32768> text{};
    std::atomic<std::size_t> size{0};
    std::atomic<Clock::rep> since{0};
};

constexpr int no_code = -1;

struct Board {
    std::array<Slot, most_threads> slots;
    std::atomic<bool> begun{false}, told{false};
    std::atomic<int> code{no_code};
};

Board* shared_board() {
    void* place = ::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "cannot share memory");
    return new (place) Board;
}

Board& board() {
    static Board& only = *shared_board();  // until the process ends, whatever is destroyed before
    return only;
}

bool say(const char* text, std::size_t size) {
    while (size > 0) {
        const ssize_t written = ::write(STDOUT_FILENO, text, size);
        if (written <= 0) return false;
        text += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

bool say(const char* text) { return say(text, std::strlen(text)); }

void on_signal(int number) {
    bool all = say("# the process ends by a signal (");
    const std::array<char, 3> digits{char('0' + number / 10), char('0' + number % 10), ')'};
    all = say(digits.data(), digits.size()) && all;
    all = say(" while these programs run:\n") && all;
    for (const Slot& slot : board().slots) all = say(slot.text.data(), slot.size.load()) && all;
    board().told.store(all);
    std::signal(number, SIG_DFL);
    std::raise(number);
}

}  // namespace

void now_running(unsigned thread, const std::string& text) {
    Slot& slot = board().slots.at(thread);
    slot.size.store(0);
    const std::size_t size = std::min(text.size(), slot.text.size());
    std::copy_n(text.data(), size, slot.text.data());
    slot.since.store(Clock::now().time_since_epoch().count());
    slot.size.store(size);
}

void watch_signals() {
    board().begun.store(true);
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT}) std::signal(number, &on_signal);
}

bool report_stuck(double seconds) {
    const auto limit = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    const Clock::rep before = (Clock::now() - limit).time_since_epoch().count();
    bool found = false;
    for (const Slot& slot : board().slots) {
        const std::size_t size = slot.size.load();
        if (size == 0 || slot.since.load() > before) continue;
        const bool all = say("# this program does not come to an end:\n") && say(slot.text.data(), size);
        board().told.store(all);
        found = true;
    }
    return found;
}

std::string all_running() {
    std::string text;
    for (const Slot& slot : board().slots) text.append(slot.text.data(), slot.size.load());
    return text;
}

Ending ending() {
    const int code = board().code.load();
    return {board().begun.load(), board().told.load(), code == no_code ? std::nullopt : std::optional<int>(code)};
}

void end_with(int code) { board().code.store(code); }

void forget_all() {
    for (Slot& slot : board().slots) slot.size.store(0);
    board().begun.store(false);
    board().told.store(false);
    board().code.store(no_code);
}

}  // namespace eagle::conformance::random
