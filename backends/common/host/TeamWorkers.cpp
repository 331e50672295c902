// The workers of a team: how they are made, where they wait, and what a fork does to them.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <new>

#include "Clock.h"
#include "CpuBudget.h"
#include "Team.h"
#include "Threads.h"

namespace eagle::host {
namespace {

struct WorkerArg {
    Team* team;
    int id;
};

std::atomic<Team*> all_teams{nullptr};

}  // namespace

Team::Team(const TeamOptions& options) : options_(options) {
    const CpuBudget& budget = CpuBudget::of_process();
    width_ = options.threads > 0 ? options.threads : budget.threads;
    alone_ = budget.usable < 2;
    rate_ = ticks_per_ns();
    if (sched_getaffinity(0, sizeof allowed_, &allowed_) != 0) CPU_ZERO(&allowed_);
    next_team_ = all_teams.load(std::memory_order_relaxed);
    while (!all_teams.compare_exchange_weak(next_team_, this, std::memory_order_release, std::memory_order_relaxed)) {
    }
}

void Team::loop(int id) {
    for (std::uint32_t useless = 0;;) {
        // A job is opened before the bell is rung, so one look at all slots for one value of the bell misses nothing;
        // and a worker never joins a job twice: again and again while the owner is preempted would hold the owner's
        // CPU.
        std::uint32_t seen = bell_.load(std::memory_order_acquire);
        if (help(id)) {
            useless = 0;
            if (id == 1) load_.look(ticks());
        }
        // Less and less while it is of no use, not at all on a busy machine.
        double ns = alone_ || load_.busy(ticks()) ? 0 : options_.spin_ns / double(1u << std::min(useless, 8u));
        bool rung = false;
        for (std::uint64_t begin = ticks(); ns > 0 && !rung && double(ticks() - begin) < in_ticks(ns); relax()) {
            rung = bell_.load(std::memory_order_acquire) != seen;
        }
        if (rung) {
            useless = 0;
            continue;
        }
        ++useless;
        park(seen);
    }
}

void Team::park(std::uint32_t seen) {
    parked_.fetch_add(1, std::memory_order_seq_cst);
    bell_.wait(seen, std::memory_order_seq_cst);
    parked_.fetch_sub(1, std::memory_order_relaxed);
    std::uint64_t now = ticks(), rung = rung_at_.load(std::memory_order_relaxed);
    if (rung == 0 || now <= rung) return;
    auto took = static_cast<float>(std::min(double(now - rung) / rate_, 300e3));
    float old = wake_ns_.load(std::memory_order_relaxed);
    wake_ns_.store(old + (took - old) * 0.1f, std::memory_order_relaxed);
}

void Team::worker_main(void* raw) {
    std::unique_ptr<WorkerArg> owned(static_cast<WorkerArg*>(raw));
    WorkerArg arg = *owned;
    owned.reset();
    if (arg.id < most_steered) arg.team->thread_ids_[arg.id].store(int(syscall(SYS_gettid)), std::memory_order_release);
    arg.team->loop(arg.id);
}

// Fewer workers than wanted are no error: the caller does their part.
void Team::start() {
    int none = 0;
    if (started_.load(std::memory_order_relaxed) != 0 || !started_.compare_exchange_strong(none, 1)) return;
    for (int id = 1; id < width_; ++id) {
        std::unique_ptr<WorkerArg> arg(new (std::nothrow) WorkerArg{this, id});
        if (!arg || !start_detached("eagle-cpu", &Team::worker_main, arg.get())) break;
        arg.release();
    }
}

// A worker that wakes on the caller's own CPU, although another is idle, shares that CPU with the caller for
// milliseconds; virtual machines show it. One cheap system call a worker, only when the caller has moved. On a busy
// machine the whole mask again: there the scheduler must be free to run a worker wherever it finds room. Large teams
// have CPUs to spare.
void Team::steer() {
    if (width_ > most_steered) return;
    int cpu = load_.busy(ticks()) ? -1 : sched_getcpu();
    if (avoided_.load(std::memory_order_relaxed) == cpu) return;
    cpu_set_t mask = allowed_;
    if (cpu >= 0) CPU_CLR(cpu, &mask);
    if (CPU_COUNT(&mask) == 0) return;
    bool all = true;
    for (int id = 1; id < width_; ++id) {
        int thread = thread_ids_[id].load(std::memory_order_acquire);
        if (thread == 0 || sched_setaffinity(thread, sizeof mask, &mask) != 0) all = false;
    }
    if (all) avoided_.store(cpu, std::memory_order_relaxed);
}

void Team::reset_after_fork() {
    started_.store(0);
    bell_.store(0);
    parked_.store(0);
    avoided_.store(-1);
    for (auto& id : thread_ids_) id.store(0);
    for (Slot& slot : slots_) {
        slot.state.store(0);
        slot.taken.store(0);
    }
}

void Team::reset_all_in_child() {
    for (Team* team = all_teams.load(std::memory_order_acquire); team; team = team->next_team_)
        team->reset_after_fork();
}

}  // namespace eagle::host
