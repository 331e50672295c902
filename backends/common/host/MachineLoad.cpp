#include "MachineLoad.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "Clock.h"

namespace eagle::host {

MachineLoad::MachineLoad() : cpus_(static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))) {}

int runnable_in(const char* loadavg) {
    const char* at = loadavg;
    for (int field = 0; field < 3; ++field) {
        at = std::strchr(at, ' ');
        if (!at) return 0;
        ++at;
    }
    return std::strchr(at, '/') ? std::atoi(at) : 0;
}

void MachineLoad::look(std::uint64_t now) {
    if (now < next_look_.load(std::memory_order_relaxed)) return;
    const double ms = 1e6 * ticks_per_ns();
    int file = ::open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    char text[96] = "";
    if (file >= 0) {
        auto size = ::read(file, text, sizeof text - 1);
        ::close(file);
        text[size > 0 ? size : 0] = '\0';
    }
    int votes = runnable_in(text) > cpus_ ? votes_.load(std::memory_order_relaxed) + 1 : 0;
    votes_.store(votes, std::memory_order_relaxed);
    next_look_.store(now + std::uint64_t((votes == 1 ? 5 : 20) * ms), std::memory_order_relaxed);
    busy_until_.store(votes > 1 ? now + std::uint64_t(100 * ms) : 0, std::memory_order_relaxed);
}

}  // namespace eagle::host
