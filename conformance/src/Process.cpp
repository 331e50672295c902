#include "Process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <thread>

#include "Options.h"

extern char** environ;

namespace eagle::conformance {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int reports_there = 3;             // the worker's descriptor
constexpr std::int64_t most_wait = 1000000;  // milliseconds, which poll takes as an int
constexpr std::size_t longest_line = std::size_t{1} << 24;

struct Pipe {
    Pipe() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
        read = ends[0];
        write = ends[1];
    }
    int read, write;
};

// What a worker prints goes to standard error: standard output is the report. It leads a group of its own, by which
// what it starts is ended too.
pid_t spawn(int orders, int reports) {
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, orders, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, reports, reports_there);
    std::string program = "/proc/self/exe", option = worker_option, descriptor = std::to_string(reports_there);
    char* arguments[] = {program.data(), option.data(), descriptor.data(), nullptr};
    pid_t id = -1;
    const int trouble = posix_spawn(&id, program.c_str(), &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (trouble != 0) throw std::system_error(trouble, std::generic_category(), "cannot start a worker process");
    return id;
}

}  // namespace

std::string how_it_ended(int status) {
    if (WIFSIGNALED(status)) {
        const int number = WTERMSIG(status);
        return "signal " + std::to_string(number) + " (" + strsignal(number) + ")";
    }
    const int code = WEXITSTATUS(status);
    return code == 0 ? "" : "exit status " + std::to_string(code);
}

Process::Process() {
    const Pipe orders, reports;
    orders_ = orders.write;
    reports_ = reports.read;
    // The worker's end must not be the number it is moved to: a descriptor moved onto itself stays close-on-exec.
    const int moved = ::fcntl(reports.write, F_DUPFD_CLOEXEC, reports_there + 1);
    ::close(reports.write);
    id_ = spawn(orders.read, moved);
    ::close(orders.read);
    ::close(moved);
}

Process::~Process() {
    if (id_ > 0) reap();
    if (orders_ >= 0) ::close(orders_);
    ::close(reports_);
}

bool Process::send(const std::string& line) {
    const std::string text = line + "\n";
    return ::write(orders_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool Process::take_line(std::string& line) {
    std::size_t at = buffer_.find('\n', searched_);
    searched_ = buffer_.size();
    if (at == std::string::npos && buffer_.size() < longest_line) return false;
    line = buffer_.substr(0, at);
    buffer_.erase(0, at == std::string::npos ? at : at + 1);
    searched_ = 0;
    return true;
}

std::optional<std::string> Process::receive(Clock::time_point deadline) {
    std::string line;
    while (!take_line(line)) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd wait{reports_, POLLIN, 0};
        const int ready = left <= 0 ? 0 : ::poll(&wait, 1, static_cast<int>(std::min<std::int64_t>(left, most_wait)));
        if (ready == 0 && left > most_wait) continue;
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) {
            timed_out_ = true;
            return std::nullopt;
        }
        char bytes[65536];
        const ssize_t count = ::read(reports_, bytes, sizeof bytes);
        if (count <= 0) return std::nullopt;
        buffer_.append(bytes, static_cast<std::size_t>(count));
    }
    return line;
}

std::string Process::end(Clock::time_point deadline) {
    if (orders_ >= 0) ::close(orders_);
    orders_ = -1;
    if (id_ < 0) return "";  // told before
    // It is not waited for, so that its group is still its own.
    siginfo_t found{};
    while (::waitid(P_PID, static_cast<id_t>(id_), &found, WEXITED | WNOHANG | WNOWAIT) == 0 && found.si_pid == 0) {
        if (timed_out_ || Clock::now() >= deadline) {
            reap();
            return "its process did not end by itself, and was ended; destructors and threads of the backend must not "
                   "wait for each other when the process ends";
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return how_it_ended(reap());
}

// Ends it where it still runs, and what is left of its group; waitpid's status.
int Process::reap() {
    int status = 0;
    ::kill(-id_, SIGKILL);
    ::waitpid(id_, &status, 0);
    id_ = -1;
    return status;
}

}  // namespace eagle::conformance
