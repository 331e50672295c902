// The seven symbols that every backend has.
#include <eagle/conformance/Handles.h>
#include <eagle/conformance/Row.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>

using namespace eagle::conformance;

namespace {

using BuildInfo = struct eagle_backend_build_info;
constexpr std::uint32_t untouched = 0x5a5a5a5a;

// An output struct with room behind it, all of one byte.
struct Room {
    BuildInfo info;
    unsigned char behind[832];
    explicit Room(std::uint32_t size) {
        std::memset(static_cast<void*>(this), 0x5a, sizeof *this);
        info.struct_size = size;
    }
    // Bytes from `at` on that are not as they were.
    std::size_t touched_from(std::size_t at) const {
        const auto* bytes = reinterpret_cast<const unsigned char*>(this);
        return static_cast<std::size_t>(
            std::count_if(bytes + at, bytes + sizeof *this, [](unsigned char byte) { return byte != 0x5a; }));
    }
};

// "zzz" of "/somewhere/libeagle_zzz.so"; "" where the name is of another form.
std::string kind_named_by(const std::string& file) {
    constexpr std::string_view before = "libeagle_";
    const std::string name = file.substr(file.rfind('/') + 1);
    return name.starts_with(before) ? name.substr(before.size(), name.find('.') - before.size()) : "";
}

bool is_terminated(const char* text, std::size_t room) { return std::memchr(text, 0, room) != nullptr; }

}  // namespace

EAGLE_ROW("core-version", .covers = {Symbol::version}, .devices = 0) {
    ROW_EQ(c, c.seam.version() >> 16, std::uint32_t(EAGLE_BACKEND_VERSION_MAJOR));
    ROW_EQ(c, c.seam.version(), c.facts.version);
    // A symbol of a minor is exported only by a backend that reports that minor.
    std::uint32_t highest = 0;
    for (std::size_t i = 0; i < symbol_count; ++i) {
        const auto symbol = static_cast<Symbol>(i);
        // Of minors 1 to 5 the exact one is not recorded, so that they say no more than minor 1.
        if (c.seam.has(symbol) && minor_of(symbol) > 0) highest = std::max(highest, minor_of(symbol) == 7 ? 7u : 1u);
    }
    ROW_EXPECT(c, (c.seam.version() & 0xffff) >= highest);
}

EAGLE_ROW("core-capabilities", .covers = {Symbol::capabilities}, .devices = 0) {
    std::uint64_t bits = 0, again = ~std::uint64_t(0);
    ROW_OK(c, c.seam.capabilities(&bits));
    ROW_OK(c, c.seam.capabilities(&again));
    ROW_EQ(c, again, bits);
    ROW_EXPECT(c, (bits >> 63) == 0);  // never assigned
    ROW_EXPECT(c, (bits & (std::uint64_t(1) << 8)) == 0);
    for (std::size_t i = 0; i < symbol_count; ++i) {
        const auto symbol = static_cast<Symbol>(i);
        if (minor_of(symbol) > 0 || bit_of(symbol) == 0 || (bits & bit_of(symbol)) == 0 || c.seam.has(symbol)) continue;
        c.fail(__FILE__, __LINE__,
               "the bit of " + std::string(group_of(symbol)) + " is set, and eagle_backend_" +
                   std::string(name_of(symbol)) + " is not exported (EBP-8)");
    }
    const std::uint64_t options = EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE | EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH;
    ROW_EXPECT(c, (bits & options) == 0 || (bits & EAGLE_BACKEND_CAP_CONDITIONAL) != 0);
    ROW_STATUS(c, c.seam.capabilities(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
}

EAGLE_ROW("core-build-info", .covers = {Symbol::build_info}, .devices = 0) {
    Room known(sizeof(BuildInfo));
    ROW_OK(c, c.seam.build_info(&known.info));
    ROW_EQ(c, known.info.struct_size, std::uint32_t(sizeof(BuildInfo)));
    ROW_EQ(c, known.touched_from(sizeof(BuildInfo)), std::size_t(0));
    ROW_EQ(c, known.info.abi_version, c.seam.version());
    ROW_EXPECT(c, known.info.cudart_version >= 0);
    ROW_EXPECT(c, is_terminated(known.info.eagle_version, sizeof known.info.eagle_version));
    ROW_EXPECT(c, is_terminated(known.info.archs, sizeof known.info.archs));
    ROW_REQUIRE(c, is_terminated(known.info.backend_kind, sizeof known.info.backend_kind));
    const std::string kind = known.info.backend_kind;
    ROW_EXPECT(c, !kind.empty() && kind[0] >= 'a' && kind[0] <= 'z');
    ROW_EXPECT(c, std::all_of(kind.begin(), kind.end(), [](char letter) {
                   return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
               }));
    const std::string of_the_file = kind_named_by(c.facts.file);
    if (!of_the_file.empty() && kind != of_the_file) {
        c.fail(__FILE__, __LINE__,
               "build_info names kind '" + kind + "', and the file is of kind '" + of_the_file +
                   "' by its name, so that libeagle refuses it: name it libeagle_" + kind +
                   ".so or correct the kind "
                   "(EBP-16)");
    }
}

EAGLE_ROW("core-build-info-sizes", .covers = {Symbol::build_info}, .devices = 0) {
    Room full(sizeof(BuildInfo));
    ROW_OK(c, c.seam.build_info(&full.info));
    // Every size from the smallest on: that much is written, no byte more, and the same bytes.
    for (std::uint32_t size = 4; size < sizeof(BuildInfo); size += size < 16 ? 4 : 16) {
        Room less(size);
        ROW_OK(c, c.seam.build_info(&less.info));
        ROW_EQ(c, less.info.struct_size, size);
        ROW_EQ(c, less.touched_from(size), std::size_t(0));
        ROW_EQ(c, std::memcmp(&less.info.struct_size + 1, &full.info.struct_size + 1, size - 4), 0);
    }
    Room more(sizeof(Room));
    ROW_OK(c, c.seam.build_info(&more.info));
    ROW_EXPECT(c, more.info.struct_size >= sizeof(BuildInfo) && more.info.struct_size <= sizeof(Room));
    ROW_EQ(c, more.touched_from(more.info.struct_size), std::size_t(0));
    for (const std::uint32_t size : {0u, 3u}) {
        Room none(size);
        ROW_STATUS(c, c.seam.build_info(&none.info), EAGLE_BACKEND_INVALID_ARGUMENT);
        ROW_EQ(c, none.info.struct_size, size);
        ROW_EQ(c, none.info.abi_version, untouched);
    }
    ROW_STATUS(c, c.seam.build_info(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
}

EAGLE_ROW("core-device-types", .covers = {Symbol::device_types}, .devices = 0) {
    std::int32_t count = -1, again = -1;
    ROW_OK(c, c.seam.device_types(nullptr, 0, &count));
    ROW_REQUIRE(c, count >= 0 && count <= 64);
    const std::int32_t room = count + 3;
    std::vector<std::int32_t> types(static_cast<std::size_t>(room), -7);
    ROW_OK(c, c.seam.device_types(types.data(), room, &again));
    ROW_EQ(c, again, count);
    for (std::int32_t i = 0; i < room; ++i) {
        const std::int32_t type = types[static_cast<std::size_t>(i)];
        ROW_EXPECT(c, i < count ? type >= 0 : type == -7);
        const auto before = types.begin() + i;
        if (i < count) ROW_EXPECT(c, std::find(types.begin(), before, type) == before);
    }
    for (std::int32_t cap = 0; cap < count; ++cap) {
        std::vector<std::int32_t> fewer(static_cast<std::size_t>(room), -7);
        ROW_OK(c, c.seam.device_types(fewer.data(), cap, &again));
        ROW_EQ(c, again, count);  // the full number, whatever fits
        for (std::int32_t i = 0; i < room; ++i) {
            const auto at = static_cast<std::size_t>(i);
            ROW_EQ(c, fewer[at], i < cap ? types[at] : -7);
        }
    }
    ROW_STATUS(c, c.seam.device_types(nullptr, 2, &count), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.device_types(types.data(), -1, &count), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.device_types(types.data(), room, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
}

EAGLE_ROW("core-probe", .covers = {Symbol::probe}, .devices = 0) {
    const eagle_backend_status status = c.seam.probe();
    const std::string text = c.seam.last_error();
    ROW_EXPECT(c, status == EAGLE_BACKEND_OK || status == EAGLE_BACKEND_UNAVAILABLE);
    ROW_EQ(c, text.empty(), status == EAGLE_BACKEND_OK);
    ROW_EQ(c, c.seam.probe(), status);
    if (status == EAGLE_BACKEND_OK && c.seam.has(Symbol::sdk_device_count)) {
        std::int32_t devices = 0;
        ROW_OK(c, c.seam.sdk_device_count(&devices));
        ROW_EXPECT(c, devices >= 1);
    }
}

EAGLE_ROW("core-free", .covers = {Symbol::free}, .devices = 0) {
    c.seam.free(nullptr);
    ROW_EQ(c, std::string(c.seam.last_error()), std::string());
}

EAGLE_ROW("core-last-error-is-cleared", .covers = {Symbol::last_error}, .devices = 0) {
    ROW_REQUIRE(c, c.seam.last_error() != nullptr);
    std::uint64_t bits = 0;
    ROW_EQ(c, c.seam.capabilities(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    const std::string text = c.seam.last_error();
    ROW_EXPECT(c, !text.empty());
    ROW_EQ(c, std::string(c.seam.last_error()), text);  // asking does not clear it
    ROW_EQ(c, c.seam.capabilities(&bits), EAGLE_BACKEND_OK);
    ROW_EQ(c, std::string(c.seam.last_error()), std::string());
}

EAGLE_ROW("core-last-error-is-of-the-thread", .covers = {Symbol::last_error}, .devices = 0) {
    ROW_EQ(c, c.seam.capabilities(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    const std::string mine = c.seam.last_error();
    std::string before, after;
    std::thread other([&] {
        before = c.seam.last_error();
        (void)c.seam.build_info(nullptr);
        after = c.seam.last_error();
    });
    other.join();
    ROW_EQ(c, before, std::string());  // a thread that has called nothing
    ROW_EXPECT(c, !after.empty());
    ROW_EXPECT(c, !mine.empty());
    ROW_EQ(c, std::string(c.seam.last_error()), mine);  // another thread's error is not this one's
}
