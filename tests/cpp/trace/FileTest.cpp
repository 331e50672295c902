// Beginning, ending and refusing.
#include <eagle/eagle.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "../artifact/Handmade.h"
#include "Read.h"

using namespace trace_test;
using namespace eagle;
using handmade::refusal;

namespace {

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

void expect_words(const std::string& text, std::initializer_list<std::string> words) {
    for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
}

TEST(TraceFile, HoldsNothingWhereNothingRan) {
    const Read read = traced([] {});
    EXPECT_TRUE(read.slices.empty());
    EXPECT_EQ(read.meta()["writer"], "eagle " + std::string(version()));
    EXPECT_EQ(read.meta()["dropped"], 0);
    EXPECT_EQ(read.meta()["events"], 0);
    expect_well_formed(read);
}

TEST(TraceFile, IsRefusedBeforeAnythingBegins) {
    expect_words(refusal<Error>([] { Trace trace("/no such folder/trace.json"); }),
                 {"'/no such folder/trace.json'", "No such file or directory", "in a folder that is there"});
    expect_words(refusal<Error>([] { Trace trace(std::filesystem::temp_directory_path()); }), {"Is a directory"});
    expect_words(refusal<InvalidArgument>([] { Trace trace(""); }), {"the path of the trace is empty"});
    const Place place;
    expect_words(refusal<InvalidArgument>([&] { Trace trace(place.path(), {.max_events = 0}); }), {"max_events is 0"});
    EXPECT_FALSE(std::filesystem::exists(place.path()));
    EXPECT_FALSE(Trace::active());
}

TEST(TraceFile, IsOneAtATime) {
    const Place first, second;
    Trace trace(first.path());
    EXPECT_TRUE(Trace::active());
    expect_words(refusal<Busy>([&] { Trace other(second.path()); }), {"recorded already", "stop() it first"});
    EXPECT_FALSE(std::filesystem::exists(second.path()));
    EXPECT_TRUE(trace.running());
    trace.stop();
    EXPECT_FALSE(Trace::active());
    Trace other(second.path());
    EXPECT_TRUE(other.running());
}

TEST(TraceFile, IsWrittenOnceAndTellsHowMuch) {
    const Place place;
    Trace trace(place.path());
    double x = 1, y = 0;
    copy(Backend::load("cpu"), reinterpret_cast<std::uint64_t>(&y), reinterpret_cast<std::uint64_t>(&x), 8,
         CopyKind::host_to_host);
    EXPECT_GE(trace.summary().events, 1u);
    const TraceSummary summary = trace.stop();
    const std::string text = text_of(place.path());
    EXPECT_EQ(Read(place.path()).meta()["events"], summary.events);
    EXPECT_EQ(trace.stop().events, summary.events);
    EXPECT_EQ(trace.summary().events, summary.events);
    EXPECT_EQ(text_of(place.path()), text);
    EXPECT_FALSE(trace.running());
}

TEST(TraceFile, KeepsWhatWasThereUntilTheEnd) {
    const Place place;
    std::ofstream(place.path()) << std::string(1 << 20, 'x');
    Trace trace(place.path());
    EXPECT_EQ(text_of(place.path()).size(), std::size_t{1} << 20);
    trace.stop();
    EXPECT_TRUE(Read(place.path()).slices.empty());  // and nothing of the old content is behind it
}

TEST(TraceFile, IsWholeWhenAnExceptionPasses) {
    const Place place;
    EXPECT_THROW(
        {
            const Trace trace(place.path());
            double x = 0;
            copy(Backend::load("cpu"), 0, reinterpret_cast<std::uint64_t>(&x), 8, CopyKind::host_to_host);
        },
        Error);
    const Read read(place.path());
    ASSERT_EQ(read.of("copy").size(), 1u);
    EXPECT_EQ(read.of("copy")[0]["args"]["ended by"], "an exception");
    EXPECT_FALSE(Trace::active());
}

TEST(TraceFile, SaysWhenItCannotBeWrittenAtTheEnd) {
    Trace trace("/dev/full");
    expect_words(refusal<Error>([&] { trace.stop(); }), {"could not be written to '/dev/full'", "No space left"});
    EXPECT_FALSE(Trace::active());
    EXPECT_NO_THROW(trace.stop());
}

TEST(TraceFile, MovesAndIsRefusedWhereItWasMovedFrom) {
    const Place place, other;
    Trace trace(place.path());
    Trace moved(std::move(trace));
    expect_words(refusal<BadHandle>([&] { trace.stop(); }), {"this Trace was moved from"});
    EXPECT_TRUE(moved.running());
    EXPECT_EQ(moved.file(), place.path());
    moved.stop();
    Trace second(other.path());
    moved = std::move(second);
    EXPECT_EQ(moved.file(), other.path());
    EXPECT_TRUE(Trace::active());
}

TEST(TraceFork, IsTheParents) {
    const Place place, other;
    Trace trace(place.path());
    std::vector<double> x{1, 2, 3};
    const Plan plan(Artifact::load(handmade::example()).kernel(), {1});
    (void)plan.run({{"x", handmade::view(x)}, {"a", 2.0}, {"b", 1.0}});
    const pid_t child = fork();
    if (child == 0) {
        const bool is_off = !Trace::active() && !trace.running();
        (void)plan.run({{"x", handmade::view(x)}, {"a", 2.0}, {"b", 1.0}});
        const bool wrote_nothing = trace.stop().events == 0 && std::filesystem::file_size(place.path()) == 0;
        Trace own(other.path());
        (void)plan.run({{"x", handmade::view(x)}, {"a", 2.0}, {"b", 1.0}});
        own.stop();
        _exit(is_off && wrote_nothing && Read(other.path()).named("launch", "scale").size() == 1 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(trace.running());
    trace.stop();
    EXPECT_EQ(Read(place.path()).named("launch", "scale").size(), 1u);
}

}  // namespace
