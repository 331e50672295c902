// The backend that authors copy: it loads, answers everything that is required, and provides nothing.
#include <eagle/Memory.h>
#include <eagle/Stream.h>
#include <eagle/config.h>

#include <algorithm>
#include <cstring>

#include "Refusal.h"
#include "backend/Table.h"

using eagle::Backend;
using loader_test::expect_words;

namespace {

Backend null_backend() { return Backend::load("null", NULL_FILE); }

template <class Call>
std::string unavailable(const Call& call) {
    try {
        call();
    } catch (const eagle::BackendUnavailable& error) {
        return error.what();
    }
    ADD_FAILURE() << "the call was made";
    return {};
}

// A call of the seam that must fail: its status, and words of its last_error.
void expect_refused(std::int32_t status, std::int32_t wanted, std::initializer_list<std::string> words) {
    EXPECT_EQ(status, wanted);
    expect_words(null_backend().table().last_error(), words);
}

TEST(NullBackend, LoadsAndSaysWhatItIs) {
    const auto backend = null_backend();
    EXPECT_EQ(backend.version(), (1u << 16) | 7u);
    EXPECT_EQ(backend.build_info().kind, "null");
    EXPECT_EQ(backend.build_info().eagle_version, EAGLE_VERSION_STRING);
    EXPECT_EQ(backend.build_info().archs, "none");
}

TEST(NullBackend, ProvidesNothing) {
    const auto backend = null_backend();
    EXPECT_EQ(backend.capabilities(), 0u);
    EXPECT_TRUE(backend.device_types().empty());
    EXPECT_FALSE(backend.host_only());
    for (const auto& row : eagle::seam::rows_of(backend.table())) {
        EXPECT_EQ(row.address != nullptr, row.required()) << row.symbol;
    }
}

TEST(NullBackend, SaysThatNoDeviceIsUsable) {
    const auto backend = null_backend();
    EXPECT_FALSE(backend.probe().usable);
    expect_words(backend.probe().message, {"eagle_backend_probe: ", "drives no device"});
    EXPECT_EQ(backend.device_count(), 0);
}

TEST(NullBackend, CallsOfWhatItLacksAreRefusedByName) {
    const auto backend = null_backend();
    expect_words(unavailable([&] { const eagle::Stream stream(backend); }), {"'null'", "does not provide stream"});
    expect_words(unavailable([&] { const eagle::DeviceBuffer memory(backend, 0, 64); }),
                 {"does not provide eagle_backend_sdk_device_alloc"});
    expect_words(unavailable([&] { const eagle::PinnedBuffer memory(backend, 64); }),
                 {"does not provide eagle_backend_host_alloc"});
}

TEST(NullBackend, IsNoKindThatIsInstalled) {
    const auto kinds = eagle::installed_kinds();
    EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "null"), 0);
}

TEST(NullBackend, BadInputIsRefusedWithWordsAndASuccessClearsThem) {
    const auto backend = null_backend();
    const auto& seam = backend.table();
    std::int32_t count = -7, type = -7;
    std::uint64_t groups = 7;
    struct eagle_backend_build_info info{};
    info.struct_size = 3;
    expect_refused(seam.build_info(nullptr), 2, {"eagle_backend_build_info", "info is NULL"});
    expect_refused(seam.build_info(&info), 2, {"struct_size is 3", "at least 4"});
    expect_refused(seam.capabilities(nullptr), 2, {"eagle_backend_capabilities", "groups is NULL"});
    expect_refused(seam.device_types(nullptr, 0, nullptr), 2, {"eagle_backend_device_types", "count is NULL"});
    expect_refused(seam.device_types(&type, -1, &count), 2, {"cap is -1", "0 or more"});
    expect_refused(seam.device_types(nullptr, 4, &count), 2, {"types is NULL and cap is 4"});
    EXPECT_EQ(count, -7);
    expect_refused(seam.device_types(&type, 1, &count), 0, {});
    EXPECT_STREQ(seam.last_error(), "");
    EXPECT_EQ(count, 0);
    EXPECT_EQ(type, -7);
    EXPECT_EQ(seam.probe(), 5);
    EXPECT_EQ(seam.capabilities(&groups), 0);
    EXPECT_STREQ(seam.last_error(), "");
    EXPECT_EQ(groups, 0u);
    EXPECT_EQ(seam.probe(), 5);
    seam.free(nullptr);
    EXPECT_STREQ(seam.last_error(), "");
}

// The output rule: a caller that knows less gets less, one that knows more learns where the backend's struct ends.
TEST(NullBackend, BuildInfoWritesNoMoreThanItsCallerHasRoomFor) {
    const auto backend = null_backend();
    struct {
        struct eagle_backend_build_info known;
        char appended[64];
    } room{};
    std::memset(&room, 'r', sizeof room);
    room.known.struct_size = 8;
    EXPECT_EQ(backend.table().build_info(&room.known), 0);
    EXPECT_EQ(room.known.struct_size, 8u);
    EXPECT_EQ(room.known.abi_version, (1u << 16) | 7u);
    EXPECT_EQ(room.known.eagle_version[0], 'r');
    room.known.struct_size = sizeof room;
    EXPECT_EQ(backend.table().build_info(&room.known), 0);
    EXPECT_EQ(room.known.struct_size, 192u);
    EXPECT_STREQ(room.known.backend_kind, "null");
    EXPECT_EQ(room.appended[0], 'r');
}

}  // namespace
