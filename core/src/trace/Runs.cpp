#include "trace/Runs.h"

#include <algorithm>
#include <map>

namespace eagle::trace {
namespace {

using Events = std::vector<Event>;

// Replays of a graph come one after the other, and so do iterations: a run's parts all begin before those of the next,
// and together they are its samples.
void add_parts(std::vector<Run>& runs, std::uint32_t subject, std::int64_t samples, const Events& events) {
    Run run{subject, 0, 0, 0, 0, 0};
    std::int64_t done = 0;
    for (const Event& part : events) {
        if (done == 0) run = {subject, part.begin, part.end, 0, 0, run.number};
        run.end = std::max(run.end, part.end);
        ++run.parts;
        done += part.count;
        if (done < samples) continue;
        runs.push_back(run);
        ++run.number;
        done = 0;
    }
}

void add_launches(std::vector<Run>& runs, std::uint32_t subject, const Events& events) {
    std::map<std::uint64_t, Run> of_launch;
    for (const Event& part : events) {
        Run& run =
            of_launch.try_emplace(part.launch, Run{subject, part.begin, part.end, 0, part.launch, 0}).first->second;
        run.end = std::max(run.end, part.end);
        ++run.parts;
    }
    std::uint64_t number = 0;
    for (auto& [launch, run] : of_launch) {
        run.number = number++;
        runs.push_back(run);
    }
}

void add_marked(std::vector<Run>& runs, std::uint32_t subject, const Events& events) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i + 1 < events.size(); i += 2)
        runs.push_back({subject, events[i].begin, events[i + 1].begin, 0, 0, number++});
}

}  // namespace

std::vector<Run> runs_of(const Recording& recording) {
    std::vector<Events> by_subject(recording.subjects.size());
    for (const Recording::Thread& thread : recording.threads)
        for (const Event& event : thread.events)
            if (event.kind != EventKind::span && event.begin < recording.whole_until)
                by_subject[event.subject].push_back(event);
    std::vector<Run> runs;
    for (std::uint32_t subject = 1; subject < by_subject.size(); ++subject) {
        Events& events = by_subject[subject];
        if (events.empty()) continue;
        // A mark that ends at the clock's tick of its begin still comes behind it.
        std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.kind < b.kind;
        });
        if (events.front().kind != EventKind::part)
            add_marked(runs, subject, events);
        else if (recording.subjects[subject].samples > 0)
            add_parts(runs, subject, recording.subjects[subject].samples, events);
        else
            add_launches(runs, subject, events);
    }
    return runs;
}

}  // namespace eagle::trace
