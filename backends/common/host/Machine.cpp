#include "Machine.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "ProcessWide.h"

namespace eagle::host {
namespace {

std::string whole_file(const char* path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

int clock_of(const std::string& cpuinfo) {
    if (int khz = std::atoi(whole_file("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq").c_str()); khz > 0) {
        return khz;
    }
    // Whole and thousandth of a MHz; no number here depends on the locale.
    const std::string mhz = cpuinfo_value(cpuinfo, "cpu MHz");
    const auto point = mhz.find('.');
    const std::string part = point == std::string::npos ? "" : mhz.substr(point + 1, 3);
    return std::atoi(mhz.c_str()) * 1000 + (part.size() == 3 ? std::atoi(part.c_str()) : 0);
}

int lanes_here() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") ? 8 : __builtin_cpu_supports("avx") ? 4 : 2;
#elif defined(__aarch64__)
    return 2;
#else
    return 1;
#endif
}

}  // namespace

std::string cpuinfo_value(const std::string& text, const std::string& key) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::size_t colon = text.find(':', at);
        if (text.compare(at, key.size(), key) == 0 && colon < end) {
            const std::size_t blank = text.find_first_not_of(" \t", at + key.size());
            const std::size_t value = text.find_first_not_of(" \t", colon + 1);
            if (blank == colon) return value < end ? text.substr(value, end - value) : "";
        }
        at = end + 1;
    }
    return "";
}

Machine::Machine() {
    const std::string cpuinfo = whole_file("/proc/cpuinfo");
    name = cpuinfo_value(cpuinfo, "model name");
    if (name.empty()) name = "host processor";
    clock_khz = clock_of(cpuinfo);
    lanes = lanes_here();
    l1_bytes = std::max(0L, sysconf(_SC_LEVEL1_DCACHE_SIZE));
    l2_bytes = std::max(0L, sysconf(_SC_LEVEL2_CACHE_SIZE));
}

const Machine& Machine::of_process() { return process_wide<Machine>(); }

bool peaks_wanted(const char* text, std::string& error) {
    const std::string value = text ? text : "";
    if (value == "1") return true;
    if (!value.empty() && value != "0") {
        error = "$EAGLE_CPU_CALIBRATE is '" + value + "'; it must be 1 (measure the peaks), 0, or not set";
    }
    return false;
}

}  // namespace eagle::host
