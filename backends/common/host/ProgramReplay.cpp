// How a program runs: in a row, in a random order, or shared by the team.
#include <thread>

#include "Clock.h"
#include "Cost.h"
#include "Program.h"
#include "Team.h"

namespace eagle::host {
namespace {

constexpr double small_ns = 3000, least_shared_ns = 300, least_width = 1.3, surprise_ns = 50e3;
constexpr std::uint64_t first_looks = 3, a_look_in = 64;
constexpr std::uint32_t no_op = ~0u;

}  // namespace

// A row of calls is the quickest until measured times say that sharing pays: enough work in all, ops that outweigh a
// steal, width. What was measured is looked at again from time to time, and when a replay took much longer.
void Program::replay() {
    if (schedule_.is_random) return replay_randomly();
    const bool looks = replays_ < first_looks || replays_ % a_look_in == 0 || was_surprised_;
    ++replays_;
    const std::uint64_t begin = ticks();
    if (looks) {
        look();
        was_surprised_ = false;
        return note(double(ticks() - begin));
    }
    double n = double(ops_.size());
    if (width_ > least_width && serial_ticks_ > n * least_shared_ns * ticks_per_ns() &&
        Team::of_process().is_worth_sharing(serial_ticks_)) {
        return replay_shared();
    }
    for (const Op& op : ops_) op.run(op);
    double spent = double(ticks() - begin);
    was_surprised_ = spent > 4 * serial_ticks_ + surprise_ns * ticks_per_ns();
}

// Kernels measured one by one: those that are not worth sharing are called as they are from here on.
void Program::look() {
    for (std::uint32_t i = 0; i < ops_.size(); ++i) {
        Op& op = ops_[i];
        Info& info = infos_[i];
        if (info.kind != NodeKind::kernel || !info.is_enabled || op.call.count <= 0) {
            op.run(op);
            continue;
        }
        run_kernel(op.call);
        double a_sample = Cost::of(reinterpret_cast<std::uint64_t>(op.call.entry)).a_sample();
        bool alone = op.call.grid == 0 && (op.call.max_parallel == 1 || Team::of_process().width() == 1);
        info.is_small = alone || (op.call.grid == 0 && a_sample > 0 &&
                                  a_sample * double(op.call.count) < small_ns * ticks_per_ns());
        choose_run(i);
    }
}

// Falls at once and rises slowly, as Cost does.
void Program::note(double spent) {
    if (serial_ticks_ != 0 && spent > serial_ticks_ && !was_surprised_) {
        spent = serial_ticks_ + (spent < 2 * serial_ticks_ ? spent - serial_ticks_ : serial_ticks_) * 0.1;
    }
    serial_ticks_ = spent;
}

void Program::replay_randomly() {
    std::vector<std::uint32_t> waits = waits_, ready;
    for (std::uint32_t i = 0; i < ops_.size(); ++i) {
        if (waits[i] == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
        std::swap(ready[schedule_.draw(ready.size())], ready.back());
        std::uint32_t op = ready.back();
        ready.pop_back();
        ops_[op].run(ops_[op]);
        for (std::uint32_t k = first_[op]; k < first_[op + 1]; ++k) {
            if (--waits[next_[k]] == 0) ready.push_back(next_[k]);
        }
    }
}

void Program::replay_shared() {
    Team& team = Team::of_process();
    if (!shared_) {
        shared_ = std::make_unique<Shared>();
        shared_->pending = std::make_unique<std::atomic<std::uint32_t>[]>(ops_.size());
        shared_->threads = static_cast<std::size_t>(team.width());
        shared_->deques = std::make_unique<WorkDeque[]>(shared_->threads);
        for (std::size_t i = 0; i < shared_->threads; ++i) shared_->deques[i].reserve(ops_.size());
    }
    for (std::size_t i = 0; i < shared_->threads; ++i) shared_->deques[i].clear();
    for (std::uint32_t i = static_cast<std::uint32_t>(ops_.size()); i-- > 0;) {
        shared_->pending[i].store(waits_[i], std::memory_order_relaxed);
        if (waits_[i] == 0) shared_->deques[0].push(i);
    }
    shared_->leaves_left.store(leaves_, std::memory_order_relaxed);
    Cost unknown;
    auto part = [](void* raw, std::int64_t id, std::int64_t) {
        static_cast<Program*>(raw)->work(static_cast<std::size_t>(id));
    };
    team.repeat(part, this, team.width(), team.width(), 0, unknown);
}

// An op and those that become ready through it, one after another; the others of them are for anybody.
void Program::follow(std::uint32_t op, WorkDeque& mine) {
    while (op != no_op) {
        ops_[op].run(ops_[op]);
        const std::uint32_t from = first_[op], to = first_[op + 1];
        if (from == to) shared_->leaves_left.fetch_sub(1, std::memory_order_acq_rel);
        op = no_op;
        for (std::uint32_t k = from; k < to; ++k) {
            std::uint32_t next = next_[k];
            if (waits_[next] != 1 && shared_->pending[next].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
            if (op == no_op) {
                op = next;
            } else {
                mine.push(next);
            }
        }
    }
}

// Until every leaf is done. A helper that finds nothing for a while goes; the caller (0) stays.
void Program::work(std::size_t id) {
    const auto patience = static_cast<std::uint64_t>(surprise_ns * ticks_per_ns());
    WorkDeque& mine = shared_->deques[id];
    for (std::uint64_t idle_since = 0;;) {
        std::uint32_t op = no_op;
        bool got = mine.pop(op);
        for (std::size_t k = 1; k < shared_->threads && !got; ++k)
            got = shared_->deques[(id + k) % shared_->threads].steal(op);
        if (got) {
            follow(op, mine);
            idle_since = 0;
            continue;
        }
        if (shared_->leaves_left.load(std::memory_order_acquire) == 0) return;
        const std::uint64_t now = ticks();
        if (idle_since == 0) idle_since = now;
        if (now - idle_since < patience) {
            relax();
        } else if (id != 0) {
            return;
        } else {
            std::this_thread::yield();
        }
    }
}

}  // namespace eagle::host
