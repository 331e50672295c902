// What the system says of this machine's processors, and what they reach when they are tried.
#pragma once
#include <cstdint>
#include <string>

namespace eagle::host {

// 0 where the system does not say.
struct Machine {
    std::string name;  // of the processor, or "host processor"
    int clock_khz = 0;
    int lanes = 1;  // 8-byte numbers in the widest vector that this processor has
    std::int64_t l1_bytes = 0, l2_bytes = 0;

    Machine();
    static const Machine& of_process();  // asked once a process
};

// "model name\t: AMD EPYC" of /proc/cpuinfo: the value of the first line of that key, or "".
std::string cpuinfo_value(const std::string& text, const std::string& key);

// Measured with the whole team in about a fifth of a second, when it is first asked for.
struct Peaks {
    double bytes_per_s;         // read and written by a copy that no cache holds
    double flops_sp, flops_dp;  // multiply and add in registers, two a lane

    Peaks();
    static const Peaks& of_process();
};

// Whether $EAGLE_CPU_CALIBRATE (its text, null when it is not set) asks for peaks: "1" does; "0", "" and null do not.
// Sets `error` for anything else.
bool peaks_wanted(const char* text, std::string& error);

}  // namespace eagle::host
