#include "Race.h"

#include <string>

namespace eagle::conformance {

void occupy(Context& c, std::uint64_t stream, const Plane& out) {
    constexpr std::int64_t steps = 1500000;  // dependent, of a nanosecond or more each
    Launch(c, "conformance_occupy").with(steps).with(out.pointer()).on(stream).run();
}

std::set<std::int64_t> results(Context& c, const Launcher& launcher, Plane& y, int replays) {
    std::set<std::int64_t> found;
    for (int i = 0; i < replays && found.size() < 2; ++i) {
        y.set(0, 0);
        replay(c, launcher);
        found.insert(y.at(0));
    }
    return found;
}

void judge_edge(Context& c, const std::set<std::int64_t>& with_edge, const std::set<std::int64_t>& without_edge,
                std::int64_t wanted, const char* edge) {
    const Words found(with_edge.begin(), with_edge.end());
    ROW_EQ(c, found, Words{wanted});
    if (without_edge == std::set{wanted}) {
        c.toothless(std::string("without ") + edge +
                    " the result is the same in every replay: branches run one after another");
    }
}

}  // namespace eagle::conformance
