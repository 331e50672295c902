// Sixteen threads at once.
#include <barrier>
#include <thread>

#include "Place.h"
#include "Refusal.h"

using eagle::Backend;
using loader_test::animal;

namespace {

constexpr int threads = 16;

// Runs call(i) on every thread at the same moment.
template <class Call>
void all_at_once(const Call& call) {
    std::barrier start(threads);
    std::vector<std::jthread> team;
    for (int i = 0; i < threads; ++i) {
        team.emplace_back([&, i] {
            start.arrive_and_wait();
            call(i);
        });
    }
}

TEST(Threads, GetOneEntry) {
    const loader_test::Place place;
    const auto file = place.copy(animal("healthy"), "libeagle_zoo.so");
    std::vector<const eagle::seam::Table*> tables(threads);
    all_at_once([&](int i) { tables[static_cast<std::size_t>(i)] = &Backend::load("zoo", file).table(); });
    for (const auto* table : tables) EXPECT_EQ(table, tables.front());
    int loaded = 0;
    for (const auto& backend : eagle::loaded_backends()) loaded += backend.path() == file ? 1 : 0;
    EXPECT_EQ(loaded, 1);
}

TEST(Threads, GetOneRefusal) {
    const loader_test::Place place;
    const auto file = place.copy(animal("major_2"), "libeagle_zoo.so");
    std::vector<std::string> texts(threads);
    all_at_once([&](int i) { texts[static_cast<std::size_t>(i)] = loader_test::refusal(file); });
    for (const auto& text : texts) EXPECT_EQ(text, texts.front());
}

// Half of the threads load what is refused and half what is healthy; then every refused file is tried again.
TEST(Threads, ABadFileHarmsNoLoadBesideIt) {
    for (const char* bad : {"nothing", "no_probe", "half_a_stream", "major_2", "mute_failure", "types_past_cap",
                            "throws_build_info", "info_older", "needs_more"}) {
        const loader_test::Place place;
        const auto file = place.copy(animal(bad), "libeagle_zoo.so");
        const auto good = place.copy(animal("second", "second"), "libeagle_second.so");
        std::vector<std::string> texts(threads);
        all_at_once([&](int i) {
            if (i % 2 == 0) {
                texts[static_cast<std::size_t>(i)] = loader_test::refusal(file);
            } else {
                EXPECT_EQ(Backend::load("second", good).path(), good);
            }
        });
        for (int i = 0; i < threads; i += 2) EXPECT_EQ(texts[static_cast<std::size_t>(i)], texts[0]);
        // Another file in its place: the system keeps what it has opened by its inode.
        std::filesystem::remove(file);
        place.copy(animal("healthy"), "libeagle_zoo.so");
        EXPECT_EQ(loader_test::refusal(file), texts[0]) << bad;
        all_at_once([&](int) { EXPECT_EQ(Backend::reload("zoo", file).path(), file) << bad; });
    }
}

TEST(Threads, LoadDifferentKindsSideBySide) {
    all_at_once([&](int i) {
        const std::string kind = i % 2 == 0 ? "second" : "zoohost";
        EXPECT_EQ(Backend::load(kind, animal(i % 2 == 0 ? "second" : "host", kind)).kind(), kind);
        loader_test::expect_words(loader_test::refusal(animal("no_probe")), {"eagle_backend_probe"});
        (void)eagle::backend_report();
        (void)eagle::installed_kinds();
    });
}

}  // namespace
