#include "Apart.h"

#include <eagle/conformance/Program.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "../Process.h"
#include "Watch.h"

namespace eagle::conformance::random {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<pid_t> child{-1};
std::atomic<int> interrupted{0};

void pass_on(int number) {
    interrupted.store(number);
    ::kill(child.load(), number);
}

[[noreturn]] void be_the_child(pid_t parent, const std::function<int()>& body) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) std::_Exit(cannot_judge);
    int code = cannot_judge;
    try {
        code = body();
    } catch (const std::exception& error) {
        std::cerr << "eagle-conformance: " << error.what() << '\n';
    }
    end_with(code);
    std::exit(code);  // what the backend does at the end is its own too
}

struct Ended {
    int status = 0;
    std::string by_force;  // what it did not end in time, where it was killed
};

// A body bounds itself once it has begun; what comes before and after is bounded here.
Ended wait_for(pid_t id, double timeout) {
    const auto allowed = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout));
    Ended ended;
    const Clock::time_point start = Clock::now();
    std::optional<Clock::time_point> finished;
    while (::waitpid(id, &ended.status, WNOHANG) == 0) {
        const Ending now = ending();
        if (now.code && !finished) finished = Clock::now();
        const bool loading = !now.begun && !now.code;
        if ((loading && Clock::now() - start >= allowed) || (finished && Clock::now() - *finished >= allowed)) {
            ended.by_force = loading ? "its loading" : "it";
            ::kill(id, SIGKILL);
            ::waitpid(id, &ended.status, 0);
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return ended;
}

std::string words_of(const Ended& ended, double timeout) {
    if (ended.by_force.empty()) {
        const std::string text = how_it_ended(ended.status);
        return text.empty() ? "exit status 0" : text;
    }
    std::ostringstream words;
    words << ended.by_force << " did not end within " << timeout << " seconds and was killed; look at what the backend "
          << (ended.by_force == "it" ? "does when its process exits" : "does in its constructors and its first calls")
          << ", or give it more time with --timeout";
    return words.str();
}

int told_of(const Ended& ended, const std::string& file, double timeout, std::ostream& out) {
    const Ending last = ending();
    if (last.code) {
        const bool clean = ended.by_force.empty() && WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == *last.code;
        if (clean) return *last.code;
        out << "not ok - random programs: all was told, and then the process did not end well: "
            << words_of(ended, timeout) << std::endl;
        return some_failed;
    }
    if (!last.begun) {
        throw std::runtime_error(file + ": the process that opened it gave no answer: " + words_of(ended, timeout));
    }
    const std::string running = all_running();
    out << "not ok 1 - random programs: their process ended in the middle: " << words_of(ended, timeout) << '\n';
    if (!last.told) out << (running.empty() ? "# no program was running\n" : "# running then:\n") << running;
    out << std::flush;
    return some_failed;
}

}  // namespace

int run_apart(const std::function<int()>& body, const std::string& file, double timeout, std::ostream& out) {
    forget_all();
    out.flush();
    const pid_t parent = ::getpid(), id = ::fork();
    if (id < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
    if (id == 0) be_the_child(parent, body);
    child.store(id);
    for (const int number : {SIGINT, SIGTERM}) std::signal(number, &pass_on);
    const Ended ended = wait_for(id, timeout);
    for (const int number : {SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
    if (interrupted.load() != 0) std::raise(interrupted.load());
    return told_of(ended, file, timeout, out);
}

}  // namespace eagle::conformance::random
