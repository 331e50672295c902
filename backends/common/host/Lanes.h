// The blocks of a job of two rounds, handed out so that a thread gets the same ones at every job of as many: what it
// read and wrote of them is still in its caches.
#pragma once
#include <atomic>
#include <cstdint>

#include "Clock.h"

namespace eagle::host {

class Lanes {
  public:
    static constexpr std::int64_t most = 16;

    // Parts are numbered from 0 to 2 * blocks, a round after the other; those before `from` are done. Each lane has
    // about as many blocks, which are neighbours and the same in both rounds. By one thread, before the others see the
    // job.
    void lay(std::int64_t from, std::int64_t blocks, std::int64_t lanes);
    // do_part(p) for each part that this thread gets until none is left: first those of lane thread % lanes, then those
    // of threads that have not come or are late. In each lane parts begin in ascending order, and no part of the second
    // round before every part of the first has begun.
    template <class DoPart>
    void run(int thread, const DoPart& do_part) {
        for (Round round : {first, second}) {
            Lane& own = lanes_[thread % n_];
            own.came.store(true, std::memory_order_relaxed);
            take(own.parts[round], 0, do_part);
            const Patience patience;
            while (!others(thread, round, patience, do_part)) relax();
        }
    }

  private:
    enum Round { first, second };
    struct Parts {
        std::atomic<std::int64_t> next{0};
        std::int64_t end = 0;
        std::int64_t left() const { return end - next.load(std::memory_order_relaxed); }
    };
    struct alignas(64) Lane {
        Parts parts[2];
        std::atomic<bool> came{false};  // its own thread
    };
    // How long a thread that is there may take for the last of its parts before another one does them: to move a block
    // from cache to cache takes longer than its thread needs as a rule.
    class Patience {
      public:
        bool is_over() const { return ticks() - begin_ > 15000; }

      private:
        std::uint64_t begin_ = ticks();
    };

    template <class DoPart>
    static void take(Parts& parts, std::int64_t leave, const DoPart& do_part) {
        while (parts.left() > leave) {
            const std::int64_t part = parts.next.fetch_add(1, std::memory_order_relaxed);
            if (part >= parts.end) return;
            do_part(part);
        }
    }
    // Whether none is left in any lane.
    template <class DoPart>
    bool others(int thread, Round round, const Patience& patience, const DoPart& do_part) {
        bool none_left = true;
        for (std::int64_t i = 0; i < n_; ++i) {
            Lane& lane = lanes_[(thread + i) % n_];
            const bool leaves_some = lane.came.load(std::memory_order_relaxed) && !patience.is_over();
            take(lane.parts[round], leaves_some ? a_few_ : 0, do_part);
            if (lane.parts[round].left() > 0) none_left = false;
        }
        return none_left;
    }

    Lane lanes_[most];
    std::int64_t n_ = 1, a_few_ = 0;  // lanes; parts that are left to a thread that has come
};

}  // namespace eagle::host
