#include "Schedule.h"

#include <charconv>
#include <cstdlib>
#include <string>

#include "Check.h"
#include "Kind.h"

namespace eagle::host {

Schedule Schedule::of_environment() {
    const char* found = std::getenv(this_kind.schedule_variable);
    if (!found || !*found) return {this_kind.is_random, 0};
    constexpr std::string_view prefix = "random:";
    std::string_view text = found;
    Schedule schedule{true, 0};
    bool fits = text.substr(0, prefix.size()) == prefix && text.size() > prefix.size();
    if (fits) {
        const char* end = text.data() + text.size();
        auto parsed = std::from_chars(text.data() + prefix.size(), end, schedule.seed);
        fits = parsed.ec == std::errc() && parsed.ptr == end;
    }
    if (!fits) {
        refuse(std::string(this_kind.schedule_variable) + " is '" + std::string(text) +
               "'; it must be unset or 'random:<seed>' with a number from 0 to 2^64 - 1");
    }
    return schedule;
}

std::uint64_t Schedule::draw(std::uint64_t bound) {
    std::uint64_t mixed = seed += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30u)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27u)) * 0x94d049bb133111ebu;
    return (mixed ^ (mixed >> 31u)) % bound;
}

}  // namespace eagle::host
