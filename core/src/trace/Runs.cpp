#include "trace/Runs.h"

#include <algorithm>
#include <map>
#include <utility>

namespace eagle::trace {
namespace {

struct Noted {
    Event event;
    std::int64_t thread;
};
using Events = std::vector<Noted>;

void add_part(Run& run, const Noted& part) {
    run.end = std::max(run.end, part.event.end);
    run.parts.push_back({part.thread, part.event.begin});
}

// Replays of a graph come one after the other, and so do iterations: a run's parts all begin before those of the next,
// and together they are its samples.
void add_parts(std::vector<Run>& runs, std::uint32_t subject, std::int64_t samples, const Events& events) {
    Run run{subject, 0, 0, 0, 0, {}};
    std::int64_t done = 0;
    for (const Noted& part : events) {
        if (done == 0) run = {subject, part.event.begin, part.event.end, 0, run.number, {}};
        add_part(run, part);
        done += part.event.count;
        if (done < samples) continue;
        const std::uint64_t next = run.number + 1;
        runs.push_back(std::move(run));
        run = {subject, 0, 0, 0, next, {}};
        done = 0;
    }
}

void add_launches(std::vector<Run>& runs, std::uint32_t subject, const Events& events) {
    std::map<std::uint64_t, Run> of_launch;
    for (const Noted& part : events) {
        const Event& event = part.event;
        const Run fresh{subject, event.begin, event.end, event.launch, 0, {}};
        add_part(of_launch.try_emplace(event.launch, fresh).first->second, part);
    }
    std::uint64_t number = 0;
    for (auto& [launch, run] : of_launch) {
        run.number = number++;
        runs.push_back(std::move(run));
    }
}

void add_marked(std::vector<Run>& runs, std::uint32_t subject, const Events& events) {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i + 1 < events.size(); i += 2)
        runs.push_back({subject, events[i].event.begin, events[i + 1].event.begin, 0, number++, {}});
}

}  // namespace

std::vector<Run> runs_of(const Recording& recording) {
    std::vector<Events> by_subject(recording.subjects.size());
    for (const Recording::Thread& thread : recording.threads)
        for (const Event& event : thread.events)
            if (event.kind != EventKind::span && event.begin < recording.whole_until)
                by_subject[event.subject].push_back({event, thread.thread});
    std::vector<Run> runs;
    for (std::uint32_t subject = 1; subject < by_subject.size(); ++subject) {
        Events& events = by_subject[subject];
        if (events.empty()) continue;
        // A mark that ends at the clock's tick of its begin still comes behind it.
        std::stable_sort(events.begin(), events.end(), [](const Noted& a, const Noted& b) {
            return a.event.begin != b.event.begin ? a.event.begin < b.event.begin : a.event.kind < b.event.kind;
        });
        if (events.front().event.kind != EventKind::part)
            add_marked(runs, subject, events);
        else if (recording.subjects[subject].samples > 0)
            add_parts(runs, subject, recording.subjects[subject].samples, events);
        else
            add_launches(runs, subject, events);
    }
    return runs;
}

}  // namespace eagle::trace
