// Sharing a job: who is asked, how it is cut, when it is over. TeamWorkers.cpp has the other side.
#include "Team.h"

#include <algorithm>

#include "Clock.h"
#include "FloatEnvironment.h"
#include "ProcessWide.h"

namespace eagle::host {

template <class Stop>
bool Team::spin(double ns, Stop&& stop) const {
    const double budget = in_ticks(ns);
    for (std::uint64_t begin = ticks();;) {
        if (stop()) return true;
        if (double(ticks() - begin) > budget) return false;
        relax();
    }
}

std::int64_t Team::run_parts(Slot& slot, int id) {
    std::int64_t done = 0;
    if (slot.rounds_of > 0) {
        slot.lanes.run(id, [&](std::int64_t part) {
            slot.part(slot.ctx, part, 1);
            ++done;
        });
        slot.state.fetch_and(~open_bit, std::memory_order_relaxed);
        return done;
    }
    for (;;) {
        std::int64_t at = slot.next.fetch_add(slot.grain, std::memory_order_relaxed);
        if (at >= slot.end) {
            slot.state.fetch_and(~open_bit, std::memory_order_relaxed);  // no late comers
            return done;
        }
        std::int64_t count = std::min(slot.grain, slot.end - at);
        slot.part(slot.ctx, at, count);
        done += count;
    }
}

// Inside the job between the two changes of the count: its owner waits for the second.
bool Team::join(Slot& slot, int id) {
    std::uint32_t state = slot.state.load(std::memory_order_relaxed);
    while ((state & open_bit) && (state & count_mask) < ((state >> limit_shift) & count_mask)) {
        if (!slot.state.compare_exchange_weak(state, state + 1, std::memory_order_acquire, std::memory_order_relaxed)) {
            continue;
        }
        slot.joined.fetch_add(1, std::memory_order_relaxed);
        {
            FloatEnvironment plain;
            run_parts(slot, id);
        }
        std::uint32_t before = slot.state.fetch_sub(1, std::memory_order_acq_rel);
        if ((before & wait_bit) && (before & count_mask) == 1) slot.state.notify_one();
        return true;
    }
    return false;
}

bool Team::help(int id) {
    bool did = false;
    for (Slot& slot : slots_) did = join(slot, id) || did;
    return did;
}

// Ticks of work that are worth ringing for. Workers that spin cost a cache line; parked ones a system call and a wake.
// In a burst of launches the first to ring pays the wake, and the rest find the worker spinning.
double Team::worth(std::uint64_t now) const {
    const bool busy = load_.busy(now);
    bool hot = parked_.load(std::memory_order_relaxed) == 0 && started_.load(std::memory_order_relaxed) != 0;
    if (!hot && !alone_ && !busy) {
        hot = double(now - last_end_.load(std::memory_order_relaxed)) < in_ticks(options_.spin_ns / 2);
    }
    double parked_ns = options_.worth_parked_ns > 0 ? options_.worth_parked_ns
                                                    : 20e3 + double(wake_ns_.load(std::memory_order_relaxed));
    double ns = hot ? options_.worth_hot_ns : parked_ns;
    return in_ticks(busy ? std::max(ns, 50e3) : ns);
}

bool Team::is_worth_sharing(double ticks_of_work) const { return width_ > 1 && ticks_of_work > worth(ticks()); }

Team::Slot* Team::take() {
    for (Slot& slot : slots_) {
        if (slot.taken.load(std::memory_order_relaxed) == 0 && slot.taken.exchange(1, std::memory_order_acquire) == 0) {
            return &slot;
        }
    }
    return nullptr;
}

Team::Share Team::share(Slot& slot, const Job& job, std::uint32_t limit) {
    slot.part = job.part;
    slot.ctx = job.ctx;
    slot.end = job.end;
    slot.grain = job.grain;
    slot.rounds_of = job.rounds_of;
    if (job.rounds_of > 0) slot.lanes.lay(job.from, job.rounds_of, std::int64_t(limit) + 1);
    slot.joined.store(0, std::memory_order_relaxed);
    slot.next.store(job.from, std::memory_order_relaxed);
    start();
    if (&slot == &slots_[0]) steer();  // several callers at once would fight over the mask
    slot.state.store(open_bit | (limit << limit_shift), std::memory_order_release);
    ring(limit);
    std::uint64_t begin = ticks();
    std::int64_t done = run_parts(slot, 0);
    double spent = double(ticks() - begin);
    close(slot);
    std::uint32_t joined = slot.joined.load(std::memory_order_relaxed);
    slot.taken.store(0, std::memory_order_release);
    return {done, spent, joined};
}

void Team::close(Slot& slot) {
    std::uint32_t state = slot.state.fetch_and(~open_bit, std::memory_order_acq_rel) & ~open_bit;
    if (state & count_mask) {
        auto left = [&] { return (slot.state.load(std::memory_order_acquire) & count_mask) == 0; };
        if (!spin(alone_ ? 0 : load_.busy(ticks()) ? 5e3 : options_.join_spin_ns, left)) {
            for (;;) {
                state = slot.state.fetch_or(wait_bit, std::memory_order_acq_rel) | wait_bit;
                if ((state & count_mask) == 0) break;
                slot.state.wait(state, std::memory_order_acquire);
            }
        }
    }
    slot.state.store(0, std::memory_order_relaxed);
}

// One system call, and only when a worker has parked.
void Team::ring(std::uint32_t workers) {
    bell_.fetch_add(1, std::memory_order_seq_cst);
    if (parked_.load(std::memory_order_seq_cst) == 0) return;
    rung_at_.store(ticks(), std::memory_order_relaxed);
    if (workers == 1) {
        bell_.notify_one();
    } else {
        bell_.notify_all();
    }
}

// The cost of a sample is not known: this thread goes on alone in doubling chunks until it is. `begin`: the time.
// Returns how many it did; all of them is the end of the launch.
std::int64_t Team::alone_until_known(const Cut& cut, Part part, void* ctx, std::int64_t count, std::uint64_t begin,
                                     double worth_now, Cost& cost) {
    std::int64_t done = 0;
    std::uint64_t end = begin;
    double spent = 0, a_sample = 0;
    for (std::int64_t chunk = cut.least_tile; done < count;) {
        std::int64_t n = std::min(chunk, count - done);
        part(ctx, done, n);
        done += n;
        end = ticks();
        spent = double(end - begin);
        a_sample = spent / double(done);
        if (spent > worth_now / 8 && a_sample * double(count - done) > worth_now) break;
        if (spent < worth_now / 2) chunk *= 2;
    }
    cost.note(a_sample);
    last_end_.store(end, std::memory_order_relaxed);
    return done;
}

// The work is believed to be small: all of it here. A first quarter tells whether the belief is right; where it is not,
// the rest is shared. `begin`: the time. Returns how many samples were done; all of them is the end of the launch.
std::int64_t Team::alone_while_small(const Cut& cut, Part part, void* ctx, std::int64_t count, std::uint64_t begin,
                                     double worth_now, Cost& cost) {
    std::int64_t first = count <= 4 * cut.tile ? count : count / 4 / cut.tile * cut.tile;
    part(ctx, 0, first);
    if (first < count) {
        double spent = double(ticks() - begin);
        if (spent > worth_now) {
            cost.set(spent / double(first));
            return first;
        }
        part(ctx, first, count - first);
    }
    const std::uint64_t end = ticks();
    cost.note(double(end - begin) / double(count));
    last_end_.store(end, std::memory_order_relaxed);
    return count;
}

// A sixteenth of a thread's share, at least two microseconds, in whole tiles; heavy samples have smaller tiles.
std::int64_t Team::grain(const Cut& cut, std::int64_t left, std::int64_t threads, double a_sample) const {
    std::int64_t whole = a_sample * double(cut.tile) > in_ticks(20e3) ? cut.least_tile : cut.tile;
    auto least = static_cast<std::int64_t>(in_ticks(2e3) / std::max(a_sample, 1e-3));
    return std::min(std::max(std::max(least, left / (16 * threads)) / whole * whole, whole), cut.most);
}

void Team::split(Part part, void* ctx, std::int64_t count, std::uint32_t max_parallel, Cost& cost) {
    split_as({256, 16, INT64_MAX}, part, ctx, count, max_parallel, cost);
}

void Team::split_blocks(Part part, void* ctx, std::int64_t blocks, Cost& cost) {
    split_as({1, 1, 1}, part, ctx, blocks, 0, cost);
}

void Team::split_rounds(Part part, void* ctx, std::int64_t blocks, Cost& cost) {
    split_as({1, 1, 1, blocks}, part, ctx, 2 * blocks, 0, cost);
}

void Team::split_as(const Cut& cut, Part part, void* ctx, std::int64_t count, std::uint32_t max_parallel, Cost& cost) {
    const std::int64_t threads = max_parallel == 0 ? width_ : std::min<std::int64_t>(max_parallel, width_);
    std::int64_t done = 0;
    if (threads <= 1) {
        part(ctx, 0, count);
        done = count;
    } else {
        // Reading the clock is a good part of what a small launch costs: it is read here and where the work ends.
        const std::uint64_t begin = ticks();
        const double worth_now = worth(begin), known = cost.a_sample();
        if (known == 0) {
            done = alone_until_known(cut, part, ctx, count, begin, worth_now, cost);
        } else if (known * double(count) <= worth_now) {
            done = alone_while_small(cut, part, ctx, count, begin, worth_now, cost);
        }
        if (done == count) return;
    }
    if (done < count) {
        const std::int64_t a_part = grain(cut, count - done, threads, cost.a_sample());
        Slot* slot = a_part < count - done ? take() : nullptr;  // a single part is nobody else's
        if (slot) {
            const Job job{part, ctx, done, count, a_part, cut.rounds_of};
            Share mine = share(*slot, job, static_cast<std::uint32_t>(threads - 1));
            if (mine.done > 0) cost.note(mine.ticks / double(mine.done));
        } else {
            part(ctx, done, count - done);
        }
    }
    last_end_.store(ticks(), std::memory_order_relaxed);
}

void Team::repeat(Part part, void* ctx, std::int64_t calls, std::int64_t samples, std::uint32_t max_parallel,
                  Cost& cost) {
    const std::uint64_t begin = ticks();
    std::int64_t threads =
        std::min<std::int64_t>(max_parallel == 0 ? width_ : std::min<std::int64_t>(max_parallel, width_), calls);
    double a_sample = cost.a_sample();
    bool small = a_sample > 0 && threads > 1 && a_sample * double(samples) <= worth(begin);
    Slot* slot = threads > 1 && !small ? take() : nullptr;
    std::uint32_t joined = 0;
    if (slot) {
        joined = share(*slot, {part, ctx, 0, calls, 1}, static_cast<std::uint32_t>(threads - 1)).joined;
    } else {
        for (std::int64_t i = 0; i < calls; ++i) part(ctx, i, 1);
    }
    std::uint64_t end = ticks();
    cost.note_cautiously(double(end - begin) * double(1 + joined) / double(samples));
    last_end_.store(end, std::memory_order_relaxed);
}

Team& Team::of_process() { return process_wide<Team>(); }

}  // namespace eagle::host
