#include "Growth.h"

#include <malloc.h>
#include <unistd.h>

#include <fstream>

namespace eagle::conformance::random {

Growth::Amounts Growth::now() const {
    Amounts found;
    malloc_trim(0);  // what was given back counts no more
    std::ifstream statm("/proc/self/statm");
    std::uint64_t pages = 0, resident = 0;
    if (statm >> pages >> resident) found.bytes = resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    if (facts_.provides(Symbol::event_pool_created)) (void)seam_.event_pool_created(&found.events);
    return found;
}

void Growth::begin() { first_ = now(); }

std::string Growth::excess(std::uint64_t most_bytes, std::int64_t most_events) const {
    const Amounts last = now();
    auto text = [](const char* what, auto from, auto to, auto most) {
        return std::string(what) + " went from " + std::to_string(from) + " to " + std::to_string(to) +
               ", needed at most " + std::to_string(most) + " more";
    };
    if (last.bytes > first_.bytes + most_bytes) return text("bytes of memory", first_.bytes, last.bytes, most_bytes);
    if (last.events > first_.events + most_events) return text("events", first_.events, last.events, most_events);
    return "";
}

}  // namespace eagle::conformance::random
