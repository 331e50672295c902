// Is there more to run on this machine than it has CPUs? Then a spinning thread takes time from work.
#pragma once
#include <atomic>
#include <cstdint>

namespace eagle::host {

class MachineLoad {
  public:
    MachineLoad();
    // A glance at the number of runnable threads, at most every 20 ms; by one thread. Believed when a second glance 5
    // ms later agrees, forgotten after 100 ms. Times of our own say nothing here: a late thread may be the fault of a
    // neighbour, of the scheduler's placement or of the hypervisor, and the three want different answers.
    void look(std::uint64_t now);
    bool busy(std::uint64_t now) const { return busy_until_.load(std::memory_order_relaxed) > now; }

  private:
    std::atomic<std::uint64_t> busy_until_{0};
    std::atomic<std::uint64_t> next_look_{0};
    std::atomic<int> votes_{0};
    int cpus_;
};

// Runnable threads of the machine as "0.20 0.18 0.12 3/345 4242" gives them (3 here); 0 when the text is another.
int runnable_in(const char* loadavg);

}  // namespace eagle::host
