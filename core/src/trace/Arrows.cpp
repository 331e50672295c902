#include "trace/Arrows.h"

#include <algorithm>
#include <array>
#include <map>

namespace eagle::trace {
namespace {

class Launches {
  public:
    Launches(const Recording& recording, const std::vector<Run>& runs) : recording_(recording) {
        for (const Recording::Thread& thread : recording.threads)
            for (const Event& event : thread.events) {
                if (event.kind != EventKind::span) continue;
                const Label& label = thread.labels[event.subject];
                const ArrowEnd end{nullptr, thread.thread, event.begin};
                if (label.launch != 0)
                    of_plan_[label.launch] = end;
                else if (label.replays != 0)
                    of_graph_[label.replays].push_back(end);
            }
        for (auto& [graph, ends] : of_graph_)
            std::sort(ends.begin(), ends.end(), [](const ArrowEnd& a, const ArrowEnd& b) { return a.at < b.at; });
        for (const Run& run : runs)
            if (of_graph_.contains(run.subject)) replays_[run.subject].push_back(&run);
    }

    // Null where the recording has none.
    const ArrowEnd* of(const Run& run) const {
        if (run.launch != 0) {
            const auto found = of_plan_.find(run.launch);
            return found == of_plan_.end() ? nullptr : &found->second;
        }
        if (of_graph_.contains(run.subject)) return numbered(run.subject, run.number);
        const auto replays = replays_.find(recording_.subjects[run.subject].replays);
        if (replays == replays_.end()) return nullptr;
        const auto& all = replays->second;
        const auto next = std::upper_bound(all.begin(), all.end(), run.begin,
                                           [](std::int64_t at, const Run* replay) { return at < replay->begin; });
        return next == all.begin() ? nullptr : numbered((*(next - 1))->subject, (*(next - 1))->number);
    }

  private:
    // The n-th replay is that of the n-th launch.
    const ArrowEnd* numbered(std::uint32_t graph, std::uint64_t number) const {
        const auto& ends = of_graph_.at(graph);
        return number < ends.size() ? &ends[number] : nullptr;
    }

    const Recording& recording_;
    std::map<std::uint64_t, ArrowEnd> of_plan_;
    std::map<std::uint32_t, std::vector<ArrowEnd>> of_graph_;  // by the subject of its replays
    std::map<std::uint32_t, std::vector<const Run*>> replays_;
};

}  // namespace

void each_arrow(const Recording& recording, const std::vector<Run>& runs,
                const std::function<void(const char* name, std::span<const ArrowEnd> ends)>& put) {
    const Launches launches(recording, runs);
    for (const Run& run : runs) {
        const ArrowEnd* launch = launches.of(run);
        std::array<ArrowEnd, 3> ends{};
        std::size_t n = 0;
        if (launch != nullptr) ends[n++] = *launch;
        ends[n++] = {&run, 0, run.begin};
        for (const Run::Part& part : run.parts) {
            ends[n] = {nullptr, part.thread, part.begin};
            put("part", std::span(ends.data(), n + 1));
        }
        const bool is_replay = recording.subjects[run.subject].kind == "graph";
        if (is_replay && launch != nullptr) put("launch", std::span(ends.data(), n));
    }
}

}  // namespace eagle::trace
