#include "lowering/Branches.h"

#include <algorithm>

namespace eagle::lowering {
namespace {

using Clock = std::vector<std::uint32_t>;  // by branch: how many of its steps lie before

void raise(Clock& clock, const Clock& to) {
    if (clock.size() < to.size()) clock.resize(to.size(), 0);
    for (std::size_t i = 0; i < to.size(); ++i) clock[i] = std::max(clock[i], to[i]);
}

std::uint32_t at(const Clock& clock, std::uint32_t branch) { return branch < clock.size() ? clock[branch] : 0; }

class Assignment {
  public:
    Assignment(const GraphAnalysis& analysis, std::uint32_t most) : analysis_(analysis), most_(most) {}

    void add(std::uint32_t node) {
        Clock before;
        for (const graph::Edge& edge : analysis_.into(node)) raise(before, clocks_[place(edge.from)]);
        const std::uint32_t branch = branch_for(node, before);
        Step step{node, branch, {}, false};
        for (const graph::Edge& edge : analysis_.into(node)) {
            const std::uint32_t from = place(edge.from);
            const std::uint32_t other = steps_[from].branch;
            if (other == branch || at(tips_[branch].clock, other) >= number_[from]) continue;
            steps_[from].is_marked = true;
            step.waits.push_back(from);
            raise(tips_[branch].clock, clocks_[from]);
        }
        Tip& tip = tips_[branch];
        if (tip.clock.size() <= branch) tip.clock.resize(branch + 1, 0);
        tip.last = static_cast<std::uint32_t>(steps_.size());
        number_.push_back(++tip.clock[branch]);
        clocks_.push_back(tip.clock);
        if (places_.size() <= node) places_.resize(node + 1, graph::none);
        places_[node] = tip.last;
        steps_.push_back(std::move(step));
    }

    BodyPlan finish() {
        BodyPlan plan;
        plan.width = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(tips_.size()));
        std::vector<std::uint32_t> mark_of(steps_.size(), 0);
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if (steps_[i].is_marked) mark_of[i] = plan.marks++;
        for (Step& step : steps_)
            for (std::uint32_t& wait : step.waits) wait = mark_of[wait];
        plan.steps = std::move(steps_);
        return plan;
    }

  private:
    struct Tip {
        std::uint32_t last = 0;
        Clock clock;
    };

    std::uint32_t place(std::uint32_t node) const { return places_[node]; }
    std::uint32_t length(std::uint32_t branch) const { return at(tips_[branch].clock, branch); }

    // Where the node comes behind nothing that it need not come behind, as far as there is such a place.
    std::uint32_t branch_for(std::uint32_t node, const Clock& before) {
        std::uint32_t found = graph::none, latest = 0;
        for (const graph::Edge& edge : analysis_.into(node)) {
            const std::uint32_t from = place(edge.from), branch = steps_[from].branch;
            if (tips_[branch].last != from || (found != graph::none && from < latest)) continue;
            found = branch;
            latest = from;
        }
        for (std::uint32_t b = 0; b < tips_.size() && found == graph::none; ++b)
            if (at(before, b) == length(b)) found = b;
        if (found != graph::none) return found;
        if (tips_.size() < most_) {
            tips_.emplace_back();
            return static_cast<std::uint32_t>(tips_.size() - 1);
        }
        const auto oldest =
            std::min_element(tips_.begin(), tips_.end(), [](const Tip& a, const Tip& b) { return a.last < b.last; });
        return static_cast<std::uint32_t>(oldest - tips_.begin());
    }

    const GraphAnalysis& analysis_;
    std::uint32_t most_;
    std::vector<Step> steps_;
    std::vector<std::uint32_t> places_;  // by node: its step
    std::vector<std::uint32_t> number_;  // by step: which of its branch, from 1
    std::vector<Clock> clocks_;          // by step: what lies before and at it
    std::vector<Tip> tips_;
};

}  // namespace

BodyPlan plan_branches(const GraphDescription& description, const GraphAnalysis& analysis, std::uint32_t body,
                       std::uint32_t most) {
    Assignment assignment(analysis, std::max<std::uint32_t>(1, most));
    for (const std::uint32_t node : description.bodies()[body].nodes) assignment.add(node);
    return assignment.finish();
}

}  // namespace eagle::lowering
