// Libraries that open, but are no backend of the wanted kind: each is refused by name, and the next one still loads.
#include "Refusal.h"

#include <chrono>

#include "Place.h"

using eagle::Backend;
using loader_test::animal;
using loader_test::expect_words;
using loader_test::refusal;

namespace {

struct Bad {
    std::string name, kind;
    std::vector<std::string> words;
};

void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.name; }

class Refused : public testing::TestWithParam<Bad> {};

TEST_P(Refused, NamesPathFoundAndNeededAndHarmsNobody) {
    const Bad& bad = GetParam();
    const auto file = animal(bad.name, bad.kind);
    const std::string text = refusal(file);
    expect_words(text, {file.string(), "refused: "});
    for (const auto& word : bad.words) expect_words(text, {word});
    EXPECT_EQ(Backend::load("second", animal("second", "second")).kind(), "second");
    for (const auto& backend : eagle::loaded_backends()) EXPECT_NE(backend.path(), file);
}

INSTANTIATE_TEST_SUITE_P(
    Zoo, Refused,
    testing::Values(
        Bad{"nothing", "zoo", {"does not export eagle_backend_version", "eagle-backend/1", "[EBP-9]"}},
        Bad{"no_probe", "zoo", {"does not export eagle_backend_probe", "seven symbols required", "[EBP-9]"}},
        Bad{"major_2", "zoo", {"major 2", "needs major 1"}},
        Bad{"half_a_stream",
            "zoo",
            {"promises the group stream", "does not export eagle_backend_stream_ptr", "[EBP-8]"}},
        Bad{"no_capabilities",
            "zoo",
            {"eagle_backend_capabilities answered status 1, needs 0", "the keeper said no", "[EBP-16]"}},
        Bad{"mute_failure",
            "zoo",
            {"eagle_backend_capabilities answered status 1, needs 0; it says: nothing", "[EBP-16]"}},
        Bad{"types_below_zero", "zoo", {"device_types says that there are -3, needs 0 to 64", "[EBP-16]"}},
        Bad{"types_too_many", "zoo", {"device_types says that there are 65, needs 0 to 64", "[EBP-16]"}},
        Bad{"types_two_answers", "zoo", {"said 1 and then 2, needs the same number both times", "[EBP-16]"}},
        Bad{"types_past_cap", "zoo", {"wrote past the room for 1, needs no write past its cap", "[EBP-16]"}},
        Bad{"types_unwritten", "zoo", {"left entry 1 unwritten", "[EBP-16]"}},
        Bad{"types_negative", "zoo", {"gave the type -5", "[EBP-16]"}},
        Bad{"other_kind", "other", {"is a backend of kind 'other', needs kind 'zoo'", "[EBP-16]"}},
        Bad{"info_older", "zoo", {"build_info wrote 176 bytes, which end before backend_kind; needs 192", "[EBP-16]"}},
        Bad{"needs_more", "zoo", {"the system cannot open it", "undefined symbol: zoo_that_nobody_has"}},
        Bad{"borrower", "zoo", {"eagle_backend_free lies in ", "libzoo_lender.so", "backend's own file", "[EBP-15]"}}),
    [](const auto& bad) { return bad.param.name; });

TEST(Refusal, TheRecordHoldsItAsData) {
    const auto file = animal("half_a_stream");
    (void)refusal(file);
    int seen = 0;
    for (const auto& attempt : eagle::backend_report()) {
        if (attempt.path != file) continue;
        ++seen;
        EXPECT_EQ(attempt.kind, "zoo");
        EXPECT_EQ(attempt.source, "argument");
        EXPECT_EQ(attempt.outcome.rfind("refused: promises the group stream", 0), 0u) << attempt.outcome;
        EXPECT_EQ(attempt.policy, 8);
    }
    EXPECT_EQ(seen, 1);
}

TEST(Refusal, IsRememberedAndNotRecordedTwice) {
    const auto file = animal("major_2");
    const std::string first = refusal(file);
    const std::size_t recorded = eagle::backend_report().size();
    EXPECT_EQ(refusal(file), first);
    EXPECT_EQ(eagle::backend_report().size(), recorded);
}

TEST(Refusal, AFileThatCameLaterIsTriedByReloadOnly) {
    const loader_test::Place place;
    const auto file = place / "libeagle_zoo.so";
    expect_words(refusal(file), {file.string() + ": not there"});
    place.copy(animal("healthy"), "libeagle_zoo.so");
    expect_words(refusal(file), {": not there"});
    EXPECT_EQ(Backend::reload("zoo", file).path(), file);
    EXPECT_EQ(Backend::load("zoo", file).path(), file);
}

// The system has the refused file open and knows it by its path.
TEST(Refusal, AFileInThePlaceOfARefusedOneIsJudgedByItself) {
    const loader_test::Place place;
    const auto file = place.copy(animal("major_2"), "libeagle_zoo.so");
    expect_words(refusal(file), {"major 2"});
    const auto put = [&](const char* name) {
        std::filesystem::remove(file);
        place.copy(animal(name), "libeagle_zoo.so");
    };
    put("no_probe");
    expect_words(refusal(file), {"major 2"});
    EXPECT_THROW((void)Backend::reload("zoo", file), eagle::BackendUnavailable);
    expect_words(refusal(file), {"does not export eagle_backend_probe"});
    put("healthy");
    EXPECT_EQ(Backend::reload("zoo", file).build_info().archs, "feathers");
}

TEST(Refusal, AFileWrittenOverInPlaceIsNotRun) {
    const loader_test::Place place;
    const auto file = place.copy(animal("no_probe"), "libeagle_zoo.so");
    expect_words(refusal(file), {"eagle_backend_probe"});
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(1));
    EXPECT_THROW((void)Backend::reload("zoo", file), eagle::BackendUnavailable);
    expect_words(refusal(file), {"was written over while this process has it open", "by a rename, or a new process"});
}

}  // namespace
