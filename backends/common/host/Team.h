// A team of worker threads.
//
//  * The caller takes part, and never waits for a worker that has not started: a worker joins a job by one compare and
//  swap
//    while the job is open; the job closes when no part is left, and the caller waits for those who joined.
//  * Workers spin briefly, then park. The caller spins for those who joined, then parks too.
//  * Small work stays on the calling thread; what is small is measured.
//  * A woken worker is kept off the caller's CPU (see steer).
//  * Several callers at once: each takes a slot; a caller that finds none runs alone.
//  * Workers run parts under the default floating-point environment; a caller sets its own.
//  * In the child of a fork the team starts with no worker and makes them at first use.
#pragma once
#include <sched.h>

#include <atomic>
#include <cstdint>

#include "Cost.h"
#include "Lanes.h"
#include "MachineLoad.h"

namespace eagle::host {

struct TeamOptions {
    int threads = 0;              // the caller included; 0 = CpuBudget
    double spin_ns = 50e3;        // a worker looks that long before it parks
    double join_spin_ns = 100e3;  // the caller waits that long for joined workers before it parks
    double worth_hot_ns = 3e3;    // work worth sharing with a worker that spins
    double worth_parked_ns = 0;   // ... with one that has parked; 0 = the measured time of a wake and 20 us
};

class Team {
  public:
    // Does [base, base + count) of a job.
    using Part = void (*)(void* ctx, std::int64_t base, std::int64_t count);

    explicit Team(const TeamOptions& options = {});  // lives as long as the process: its threads are never joined
    static Team& of_process();
    int width() const { return width_; }

    // part() over [0, count), in chunks that are whole tiles of `tile`, on at most max_parallel threads (0 = all; 1 =
    // one call on this thread). Returns when all of it is done.
    void split(Part part, void* ctx, std::int64_t count, std::uint32_t max_parallel, Cost& cost);
    // The same for blocks, which have about the same cost: what is shared is handed out one by one, in ascending order.
    void split_blocks(Part part, void* ctx, std::int64_t blocks, Cost& cost);
    // part() over [0, 2 * blocks), which are two rounds over as many blocks, as Lanes hands them out.
    void split_rounds(Part part, void* ctx, std::int64_t blocks, Cost& cost);
    // part(ctx, i, 1) for every i in [0, calls), each of which may find the whole of `samples` samples left to do.
    void repeat(Part part, void* ctx, std::int64_t calls, std::int64_t samples, std::uint32_t max_parallel, Cost& cost);
    // Whether work of that many ticks is done sooner with the others' help.
    bool is_worth_sharing(double ticks_of_work) const;
    // Joins one open job, if there is one, on the calling thread; `id` is a worker's number, and 0 is any other thread.
    bool help(int id = 0);
    static void reset_all_in_child();

  private:
    // One word a job, so that one compare sees it whole: open, owner waits, most workers inside, workers inside.
    static constexpr std::uint32_t open_bit = 0x80000000u, wait_bit = 0x40000000u, count_mask = 0x7fffu;
    static constexpr std::uint32_t limit_shift = 15;
    static constexpr int n_slots = 8, most_steered = 16;
    struct alignas(64) Slot {
        std::atomic<std::uint32_t> state{0};
        std::atomic<std::uint32_t> taken{0};
        // Written by the owner before it opens.
        Part part = nullptr;
        void* ctx = nullptr;
        std::int64_t end = 0, grain = 1;
        std::atomic<std::uint32_t> joined{0};  // workers that came in all
        alignas(64) std::atomic<std::int64_t> next{0};
        std::int64_t rounds_of = 0;  // blocks that `lanes` hands out; 0 = parts are handed out by `next`
        Lanes lanes;
    };
    struct Share {
        std::int64_t done;  // by the caller
        double ticks;
        std::uint32_t joined;
    };

    double in_ticks(double ns) const { return ns * rate_; }
    double worth(std::uint64_t now) const;
    // How a job may be cut: chunks of whole tiles, of the least tile where samples are heavy, and at most `most` each.
    struct Cut {
        std::int64_t tile, least_tile, most;
        std::int64_t rounds_of = 0;
    };
    void split_as(const Cut& cut, Part part, void* ctx, std::int64_t count, std::uint32_t max_parallel, Cost& cost);
    std::int64_t alone_until_known(const Cut& cut, Part part, void* ctx, std::int64_t count, std::uint64_t begin,
                                   double worth_now, Cost& cost);
    std::int64_t alone_while_small(const Cut& cut, Part part, void* ctx, std::int64_t count, std::uint64_t begin,
                                   double worth_now, Cost& cost);
    std::int64_t grain(const Cut& cut, std::int64_t left, std::int64_t threads, double a_sample) const;
    Slot* take();
    struct Job {
        Part part;
        void* ctx;
        std::int64_t from, end, grain;
        std::int64_t rounds_of = 0;
    };
    Share share(Slot& slot, const Job& job, std::uint32_t limit);
    void close(Slot& slot);
    void ring(std::uint32_t workers);
    void steer();
    void start();
    void loop(int id);
    void park(std::uint32_t seen);
    void reset_after_fork();
    template <class Stop>
    bool spin(double ns, Stop&& stop) const;
    static std::int64_t run_parts(Slot& slot, int id);
    static bool join(Slot& slot, int id);
    static void worker_main(void* arg);

    TeamOptions options_;
    int width_ = 1;
    bool alone_ = false;  // one CPU: a spinning thread only keeps the others from running
    double rate_ = 1;     // ticks a nanosecond
    cpu_set_t allowed_{};
    MachineLoad load_;
    std::atomic<int> started_{0};
    alignas(64) std::atomic<std::uint32_t> bell_{0};
    alignas(64) std::atomic<std::uint32_t> parked_{0};
    alignas(64) std::atomic<std::uint64_t> rung_at_{0};  // when a parked worker was last called
    std::atomic<std::uint64_t> last_end_{0};             // of a launch
    std::atomic<float> wake_ns_{15000.f};                // ring to running, smoothed
    std::atomic<int> avoided_{-1};                       // the CPU that workers keep off
    std::atomic<int> thread_ids_[most_steered] = {};
    Slot slots_[n_slots];
    Team* next_team_ = nullptr;
};

}  // namespace eagle::host
