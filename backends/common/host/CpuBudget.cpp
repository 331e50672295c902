#include "CpuBudget.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "ProcessWide.h"

namespace eagle::host {
namespace {

constexpr int most_threads = 4096;

int affinity_cpus() {
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0) return std::max(1, CPU_COUNT(&mask));
    return std::max(1u, std::thread::hardware_concurrency());
}

std::string first_line(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

// The tightest quota of this process's cgroup and the groups above it.
int cgroup_cpus() {
    int least = 0;
    auto take = [&](const std::string& text) {
        int cpus = cpus_of_quota(text);
        if (cpus > 0 && (least == 0 || cpus < least)) least = cpus;
    };
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        bool unified = line.rfind("0::", 0) == 0;
        if (!unified && line.find("cpu") == std::string::npos) continue;
        std::string group = line.substr(line.rfind(':') + 1);
        for (;;) {
            if (group == "/") group.clear();
            if (unified) {
                take(first_line("/sys/fs/cgroup" + group + "/cpu.max"));
            } else {
                std::string dir = "/sys/fs/cgroup/cpu" + group;
                take(first_line(dir + "/cpu.cfs_quota_us") + " " + first_line(dir + "/cpu.cfs_period_us"));
            }
            if (group.empty()) break;
            group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
        }
    }
    return least;
}

}  // namespace

int cpus_of_quota(std::string_view text) {
    long quota = 0, period = 0;
    auto space = text.find(' ');
    if (space == std::string_view::npos) return 0;
    const char* end = text.data() + text.size();
    if (std::from_chars(text.data(), text.data() + space, quota).ec != std::errc()) return 0;
    if (std::from_chars(text.data() + space + 1, end, period).ec != std::errc()) return 0;
    if (quota <= 0 || period <= 0) return 0;
    return static_cast<int>(std::min<long>((quota - 1) / period + 1, most_threads));
}

int threads_wanted(const char* text, std::string& error) {
    if (!text || !*text) return 0;
    std::string_view all(text);
    int value = 0;
    auto [rest, status] = std::from_chars(all.data(), all.data() + all.size(), value);
    if (status == std::errc() && rest == all.data() + all.size() && value >= 1 && value <= most_threads) return value;
    error = "$EAGLE_CPU_THREADS is '" + std::string(all) + "'; it must be a whole number from 1 to " +
            std::to_string(most_threads) + ", or not set";
    return 0;
}

CpuBudget::CpuBudget() : usable(affinity_cpus()) {
    threads = usable;
    if (int limit = cgroup_cpus()) threads = std::min(threads, limit);
    if (int wanted = threads_wanted(std::getenv("EAGLE_CPU_THREADS"), error)) threads = wanted;
}

const CpuBudget& CpuBudget::of_process() { return process_wide<CpuBudget>(); }

}  // namespace eagle::host
