// Streams as handles: made, asked, given back, refused.
#include <eagle/conformance/Handles.h>
#include <eagle/conformance/Row.h>

#include <cstring>
#include <set>
#include <thread>

#include "Refused.h"

using namespace eagle::conformance;

namespace {

using Desc = struct eagle_backend_stream_desc;

eagle_backend_stream nowhere() { return reinterpret_cast<eagle_backend_stream>(std::uintptr_t(0x10)); }

// A description with room behind it, for a caller of a later minor.
struct Longer {
    Desc desc{};
    unsigned char behind[4096 - sizeof(Desc)];
    Longer() { std::memset(behind, 0xff, sizeof behind); }
};

}  // namespace

EAGLE_ROW("stream-create", .covers = {Symbol::stream_create, Symbol::stream_ptr, Symbol::stream_release}) {
    std::set<std::uint64_t> seen;
    std::vector<StreamHandle> streams;
    streams.reserve(32);
    for (int i = 0; i < 32; ++i) {
        streams.emplace_back(c, i % 2 ? EAGLE_BACKEND_STREAM_NON_BLOCKING : 0u);
        ROW_EXPECT(c, streams.back().get() != nullptr);
        ROW_EXPECT(c, streams.back().raw() != 0);                 // that is the legacy default stream
        ROW_EXPECT(c, seen.insert(streams.back().raw()).second);  // of its own
        std::uint64_t again = 0;
        ROW_OK(c, c.seam.stream_ptr(streams.back().get(), &again));
        ROW_EQ(c, again, streams.back().raw());
    }
    for (const StreamHandle& stream : streams) stream.synchronize();  // an empty one is done
}

EAGLE_ROW("stream-release-null", .covers = {Symbol::stream_release}) {
    (void)c.seam.capabilities(nullptr);
    c.seam.stream_release(nullptr);
    ROW_EQ(c, std::string(c.seam.last_error()), std::string());
}

EAGLE_ROW("stream-desc-sizes", .covers = {Symbol::stream_create}) {
    for (const std::uint32_t size : {12u, 16u, 17u, 64u, 4096u}) {
        Longer longer;
        longer.desc.struct_size = size;
        longer.desc.device = c.device;
        longer.desc.reserved0 = size < sizeof(Desc) ? -1 : 0;  // past what the caller knows of, so not read
        Owned<eagle_backend_stream> stream(c.seam.stream_release);
        ROW_STATUS(c, c.seam.stream_create(&longer.desc, stream.out()), EAGLE_BACKEND_OK);
        ROW_EXPECT(c, stream.get() != nullptr);
    }
    for (const std::uint32_t size : {0u, 4u, 11u}) {
        auto desc = make<Desc>();
        desc.struct_size = size;
        desc.flags = 0x10;
        eagle_backend_stream stream = nowhere();
        ROW_STATUS(c, c.seam.stream_create(&desc, &stream), EAGLE_BACKEND_INVALID_ARGUMENT);
        ROW_EXPECT(c, stream == nowhere() || stream == nullptr);
    }
}

EAGLE_ROW("stream-checks-in-order", .covers = {Symbol::stream_create, Symbol::stream_ptr}) {
    ROW_STATUS(c, c.seam.stream_create(nullptr, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    auto desc = make<Desc>();
    desc.flags = 0x12;
    desc.device = c.facts.devices + 90;  // flags come before the device and the output
    ROW_STATUS(c, c.seam.stream_create(&desc, nullptr), EAGLE_BACKEND_UNSUPPORTED);
    expect_bits_named(c, 0x12);
    desc.flags = EAGLE_BACKEND_STREAM_NON_BLOCKING | 0x40;
    Owned<eagle_backend_stream> stream(c.seam.stream_release);
    ROW_STATUS(c, c.seam.stream_create(&desc, stream.out()), EAGLE_BACKEND_UNSUPPORTED);
    expect_bits_named(c, 0x40);
    for (const std::int32_t device : {-2, -1000, c.facts.devices, c.facts.devices + 1000}) {
        desc.flags = 0;
        desc.device = device;
        ROW_STATUS(c, c.seam.stream_create(&desc, stream.out()), EAGLE_BACKEND_INVALID_ARGUMENT);
        ROW_EXPECT(c, stream.get() == nullptr);
    }
    desc.device = c.device;
    ROW_STATUS(c, c.seam.stream_create(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.stream_ptr(nullptr, nullptr), EAGLE_BACKEND_BAD_HANDLE);  // the handle before the output
    const StreamHandle good(c);
    ROW_STATUS(c, c.seam.stream_ptr(good.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
}

EAGLE_ROW("stream-of-the-current-device", .covers = {Symbol::stream_create}) {
    auto desc = make<Desc>();
    desc.device = -1;
    Owned<eagle_backend_stream> stream(c.seam.stream_release);
    ROW_OK(c, c.seam.stream_create(&desc, stream.out()));
    ROW_OK(c, c.seam.stream_synchronize(stream.get()));
}

EAGLE_ROW("stream-handles-that-are-none", .covers = {Symbol::stream_ptr, Symbol::stream_synchronize}) {
    std::uint64_t raw = 77;
    eagle_backend_stream released = nullptr;
    {
        StreamHandle stream(c);
        released = stream.get();
    }
    for (const eagle_backend_stream handle : {eagle_backend_stream(nullptr), released, nowhere()}) {
        ROW_STATUS(c, c.seam.stream_ptr(handle, &raw), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.stream_synchronize(handle), EAGLE_BACKEND_BAD_HANDLE);
    }
    ROW_EQ(c, raw, std::uint64_t(77));
    // The old handle stays dead however many come after it.
    for (int i = 0; i < 50; ++i) {
        const StreamHandle later(c);
        ROW_STATUS(c, c.seam.stream_synchronize(released), EAGLE_BACKEND_BAD_HANDLE);
    }
}

EAGLE_ROW("stream-released-twice", .covers = {Symbol::stream_release}) {
    Owned<eagle_backend_stream> stream(c.seam.stream_release);
    auto desc = make<Desc>();
    desc.device = c.device;
    ROW_OK(c, c.seam.stream_create(&desc, stream.out()));
    const eagle_backend_stream handle = stream.get();
    const StreamHandle other(c);
    stream.reset();
    c.seam.stream_release(handle);  // a dead handle: nothing happens, above all not to the other
    c.seam.stream_release(nowhere());
    other.synchronize();
}

EAGLE_ROW("stream-of-any-thread", .covers = {Symbol::stream_create, Symbol::stream_release}) {
    Owned<eagle_backend_stream> stream(c.seam.stream_release);
    auto desc = make<Desc>();
    desc.device = c.device;
    eagle_backend_status made = -1, asked = -1, waited = -1;
    std::uint64_t raw = 0;
    std::thread([&] { made = c.seam.stream_create(&desc, stream.out()); }).join();
    ROW_EQ(c, made, EAGLE_BACKEND_OK);
    std::thread([&] {
        asked = c.seam.stream_ptr(stream.get(), &raw);
        waited = c.seam.stream_synchronize(stream.get());
    }).join();
    ROW_EQ(c, asked, EAGLE_BACKEND_OK);
    ROW_EQ(c, waited, EAGLE_BACKEND_OK);
    std::thread([&] { stream.reset(); }).join();
    ROW_EXPECT(c, raw != 0);
}
