// How many threads this process should use.
#pragma once
#include <string>
#include <string_view>

namespace eagle::host {

struct CpuBudget {
    int threads = 1;    // $EAGLE_CPU_THREADS, else the lesser of affinity mask and cgroup quota (rounded up)
    int usable = 1;     // CPUs of the affinity mask
    std::string error;  // why $EAGLE_CPU_THREADS cannot be used; empty when it can or is not set

    CpuBudget();
    // Read once a process.
    static const CpuBudget& of_process();
};

// "max 100000" or "150000 100000" of a cgroup's cpu.max: CPUs rounded up; 0 = no limit or no such text.
int cpus_of_quota(std::string_view text);
// $EAGLE_CPU_THREADS; 0 = not set. Sets `error` when it is no whole number from 1 to 4096.
int threads_wanted(const char* text, std::string& error);

}  // namespace eagle::host
