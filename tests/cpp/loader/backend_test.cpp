// What a loaded backend answers, and what a status means.
#include "Place.h"
#include "Refusal.h"
#include "backend/Table.h"

using eagle::Backend;
using eagle::Group;
using loader_test::animal;
using loader_test::expect_words;

namespace {

template <class Wanted, class Call>
std::string thrown(const Call& call) {
    try {
        call();
    } catch (const Wanted& error) {
        EXPECT_EQ(typeid(error), typeid(Wanted));
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

TEST(Loaded, TheSevenSymbolsAreEnough) {
    const auto backend = Backend::load("zoo", animal("healthy"));
    EXPECT_EQ(backend.kind(), "zoo");
    EXPECT_EQ(backend.path(), animal("healthy"));
    EXPECT_EQ(backend.version(), (1u << 16) | 7u);
    EXPECT_EQ(backend.capabilities(), 0u);
    EXPECT_EQ(backend.device_types(), std::vector<std::int32_t>{12});
    EXPECT_FALSE(backend.host_only());
    EXPECT_EQ(backend.build_info().eagle_version, "9.8.7");
    EXPECT_EQ(backend.build_info().archs, "feathers");
    EXPECT_EQ(backend.build_info().kind, "zoo");
    EXPECT_TRUE(backend.probe().usable);
    EXPECT_EQ(backend.device_count(), 1);
}

TEST(Loaded, AHigherMinorLoads) { EXPECT_EQ(Backend::load("zoo", animal("minor_99")).version() & 0xffffu, 99u); }

TEST(Loaded, AnUnknownBitIsIgnored) {
    EXPECT_EQ(Backend::load("zoo", animal("unknown_bit")).capabilities(), std::uint64_t{1} << 40);
}

TEST(Loaded, ALongerBuildInfoIsReadAsFarAsItIsKnown) {
    EXPECT_EQ(Backend::load("zoo", animal("info_newer")).build_info().archs, "feathers");
}

TEST(Loaded, AsManyDeviceTypesAsThereMayBe) {
    EXPECT_EQ(Backend::load("zoo", animal("types_64")).device_types(), std::vector<std::int32_t>(64, 12));
}

TEST(Loaded, AFailingProbeIsAskedOnlyWhenWanted) {
    const auto backend = Backend::load("zoo", animal("no_device"));
    EXPECT_FALSE(backend.probe().usable);
    EXPECT_EQ(backend.probe().message, "every cage is empty");
    EXPECT_EQ(backend.device_count(), 0);
}

TEST(Loaded, ANullLastErrorIsNoText) {
    const auto backend = Backend::load("zoo", animal("mute"));
    EXPECT_EQ(backend.probe().message, "the backend does not say why");
    expect_words(thrown<eagle::Error>([&] { backend.check(1, "probe"); }), {"the backend gave no message"});
}

TEST(Loaded, SdkSymbolsCountOnlyBesideTheirVersion) {
    EXPECT_EQ(Backend::load("zoo", animal("three_devices")).device_count(), 3);
    const auto backend = Backend::load("zoo", animal("sdk_unversioned"));
    EXPECT_EQ(backend.table().sdk_device_count, nullptr);
    EXPECT_EQ(backend.device_count(), 1);
}

TEST(Loaded, CopiesShareOneEntry) {
    const auto a = Backend::load("zoo", animal("healthy"));
    const auto b = Backend::load("zoo", animal("healthy"));
    EXPECT_EQ(&a.table(), &b.table());
}

TEST(Loaded, AGroupThatIsNotThereIsRefusedByName) {
    const auto backend = Backend::load("zoo", animal("healthy"));
    constexpr std::pair<Group, const char*> groups[] = {
        {Group::stream, "stream"}, {Group::capturer, "capturer"},       {Group::captured, "captured"},
        {Group::fork, "fork"},     {Group::conditional, "conditional"}, {Group::attribution, "attribution"},
        {Group::graph, "graph"},   {Group::launcher, "launcher"},       {Group::exec, "exec"},
        {Group::device, "device"}, {Group::interop, "interop"},         {Group::filtering, "filtering"}};
    for (const auto& [group, name] : groups) {
        EXPECT_FALSE(backend.provides(group));
        EXPECT_EQ(eagle::group_name(group), name);
        const auto text = thrown<eagle::BackendUnavailable>([&, g = group] { backend.require(g); });
        expect_words(text, {"'zoo'", backend.path().string(), std::string("does not provide ") + name});
    }
}

TEST(Loaded, ASymbolThatIsNotThereIsRefusedByName) {
    const auto backend = Backend::load("zoo", animal("healthy"));
    const auto text = thrown<eagle::BackendUnavailable>(
        [&] { backend.require_symbol(reinterpret_cast<const void*>(backend.table().memcpy), "eagle_backend_memcpy"); });
    expect_words(text, {"does not provide eagle_backend_memcpy"});
    EXPECT_NO_THROW(backend.require_symbol(&backend, "eagle_backend_memcpy"));
}

TEST(Status, EachMeansItsClassWithTheBackendsWords) {
    const auto backend = Backend::load("zoo", animal("healthy"));
    EXPECT_NO_THROW(backend.check(0, "stream_create"));
    const auto text_of = [&](auto wanted, std::int32_t status) {
        using Wanted = typename decltype(wanted)::type;
        const auto text = thrown<Wanted>([&] { backend.check(status, "stream_create"); });
        expect_words(text, {"stream_create", "'zoo'", "the keeper said no"});
        return text;
    };
    text_of(std::type_identity<eagle::Error>(), 1);
    text_of(std::type_identity<eagle::InvalidArgument>(), 2);
    text_of(std::type_identity<eagle::IndexError>(), 3);
    text_of(std::type_identity<eagle::InteropError>(), 4);
    text_of(std::type_identity<eagle::BackendUnavailable>(), 5);
    text_of(std::type_identity<eagle::Error>(), 6);
    text_of(std::type_identity<eagle::BadHandle>(), 7);
    text_of(std::type_identity<eagle::Unsupported>(), 8);
    text_of(std::type_identity<eagle::OutOfMemory>(), 9);
    expect_words(text_of(std::type_identity<eagle::Error>(), 77), {"status 77"});
    expect_words(text_of(std::type_identity<eagle::Error>(), -1), {"status -1"});
}

// symbols.def against the seam's own list of groups and the seven required names.
TEST(Rows, PromiseWhatTheSeamPromises) {
    std::map<std::string, int> promised;
    int required = 0;
    for (const auto& row : eagle::seam::rows_of({})) {
        EXPECT_EQ(row.symbol.rfind("eagle_backend_", 0), 0u) << row.symbol;
        EXPECT_EQ(row.address, nullptr);
        required += row.required() ? 1 : 0;
        if (row.promised()) ++promised[std::string(row.group)];
    }
    EXPECT_EQ(required, 7);
    const std::map<std::string, int> counts{{"stream", 4},      {"capturer", 4},    {"captured", 2}, {"fork", 8},
                                            {"conditional", 6}, {"attribution", 2}, {"graph", 7},    {"launcher", 7},
                                            {"exec", 1},        {"device", 1},      {"interop", 2},  {"filtering", 1}};
    EXPECT_EQ(promised, counts);
}

}  // namespace
