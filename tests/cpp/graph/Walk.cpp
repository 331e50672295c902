#include "Walk.h"

#include <array>

namespace graphtest {

using namespace eagle;
using namespace eagle::graph;

std::vector<std::uint32_t> Walker::order_of(std::uint32_t body) { return description_.bodies()[body].nodes; }

void Walker::body(std::uint32_t number) {
    for (std::uint32_t n : order_of(number)) node(description_.nodes()[n]);
}

bool Walker::holds(const Guard& guard) {
    const std::uint32_t baseline = guard.baseline ? read(guard.baseline) : 0;
    return (read(guard.cell) != baseline) != guard.negate;
}

void Walker::node(const Node& node) {
    ran_.push_back(node.name);
    if (const auto* branch = std::get_if<If>(&node.work)) {
        if (holds(branch->guard))
            body(branch->then);
        else if (branch->otherwise != none)
            body(branch->otherwise);
    } else if (const auto* repeated = std::get_if<While>(&node.work)) {
        loop(*repeated);
    } else if (const auto* arms = std::get_if<Switch>(&node.work)) {
        const std::uint32_t arm = read(arms->cell);
        if (arm < arms->arms.size()) body(arms->arms[arm]);
    } else {
        work(node);
    }
}

void Walker::loop(const While& work) {
    std::array<std::uint32_t, 2> counter{work.cap.value_or(0xffffffff), 0};
    write(work.counter, counter);
    const std::array<std::uint32_t, 1> go_on{0};
    if (work.stop) write(work.stop, go_on);
    const auto goes_on = [&] {
        return counter[0] > 0 && (!work.guard || holds(*work.guard)) &&
               (!work.limit || counter[1] < read(work.limit)) && (!work.stop || read(work.stop) == 0);
    };
    while (goes_on()) {
        body(work.body);
        --counter[0];
        ++counter[1];
        write(work.counter, counter);
    }
}

}  // namespace graphtest
