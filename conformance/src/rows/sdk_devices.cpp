// Devices and their memory.
#include <eagle/conformance/Buffer.h>
#include <eagle/conformance/Gate.h>
#include <eagle/conformance/Launch.h>
#include <eagle/conformance/Row.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "Refused.h"

using namespace eagle::conformance;

namespace {

using Identity = struct eagle_backend_sdk_device_identity;

// Addresses that are given back when it goes.
struct Allocations {
    explicit Allocations(Context& context) : c(context) {}
    ~Allocations() {
        for (const std::uint64_t address : all) c.seam.sdk_device_free(c.device, address, c.stream());
        c.synchronize();
    }
    std::uint64_t make(std::uint64_t bytes) {
        std::uint64_t address = 1;
        ROW_OK(c, c.seam.sdk_device_alloc(c.device, bytes, c.stream(), &address));
        if (address) all.push_back(address);
        return address;
    }
    Context& c;
    std::vector<std::uint64_t> all;
};

}  // namespace

EAGLE_ROW("sdk-version", .covers = {Symbol::sdk_version}, .devices = 0) {
    ROW_EQ(c, c.seam.sdk_version(), std::uint32_t(EAGLE_BACKEND_SDK_VERSION));
    ROW_EXPECT(c, (c.seam.version() & 0xffff) >= 7);
}

EAGLE_ROW("sdk-device-count", .covers = {Symbol::sdk_device_count}, .devices = 0) {
    std::int32_t count = -1, again = -1;
    ROW_OK(c, c.seam.sdk_device_count(&count));
    ROW_OK(c, c.seam.sdk_device_count(&again));
    ROW_EQ(c, again, count);
    const bool usable = c.seam.probe() == EAGLE_BACKEND_OK;
    ROW_EXPECT(c, usable ? count >= 1 : count == 0);
    ROW_STATUS(c, c.seam.sdk_device_count(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
}

EAGLE_ROW("sdk-device-identity", .covers = {Symbol::sdk_device_identity}) {
    auto first = make<Identity>(), again = make<Identity>();
    ROW_OK(c, c.seam.sdk_device_identity(c.device, &first));
    ROW_OK(c, c.seam.sdk_device_identity(c.device, &again));
    ROW_EQ(c, first.struct_size, std::uint32_t(sizeof(Identity)));
    ROW_EQ(c, first.device, c.device);
    ROW_EQ(c, std::memcmp(&first, &again, sizeof first), 0);
    ROW_EXPECT(c, std::memchr(first.pci_bus_id, 0, sizeof first.pci_bus_id) != nullptr);
    for (std::uint32_t size = 4; size < sizeof(Identity); size += 4) {
        Identity less;
        std::memset(static_cast<void*>(&less), 0x5a, sizeof less);
        less.struct_size = size;
        ROW_OK(c, c.seam.sdk_device_identity(c.device, &less));
        ROW_EQ(c, less.struct_size, size);
        const auto *written = reinterpret_cast<const unsigned char*>(&less),
                   *full = reinterpret_cast<const unsigned char*>(&first);
        ROW_EXPECT(c, std::equal(written + 4, written + size, full + 4));
        ROW_EXPECT(c,
                   std::all_of(written + size, written + sizeof less, [](unsigned char byte) { return byte == 0x5a; }));
    }
}

EAGLE_ROW("sdk-device-identity-refusals", .covers = {Symbol::sdk_device_identity}) {
    auto identity = make<Identity>();
    for (const std::int32_t device : {-2, c.facts.devices, c.facts.devices + 7}) {
        ROW_STATUS(c, c.seam.sdk_device_identity(device, &identity), EAGLE_BACKEND_INVALID_ARGUMENT);
    }
    ROW_STATUS(c, c.seam.sdk_device_identity(c.device, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    identity.struct_size = 3;
    ROW_STATUS(c, c.seam.sdk_device_identity(c.device, &identity), EAGLE_BACKEND_INVALID_ARGUMENT);
}

EAGLE_ROW("sdk-device-identity-differs", .covers = {Symbol::sdk_device_identity}, .devices = 2) {
    const std::uint8_t none[16] = {};
    std::set<std::string> seen;
    for (std::int32_t device = 0; device < c.facts.devices; ++device) {
        auto identity = make<Identity>();
        ROW_OK(c, c.seam.sdk_device_identity(device, &identity));
        ROW_EQ(c, identity.device, device);
        if (std::memcmp(identity.uuid, none, sizeof none) == 0) continue;
        ROW_EXPECT(c, seen.insert(std::string(reinterpret_cast<const char*>(identity.uuid), 16)).second);
    }
}

EAGLE_ROW("sdk-device-alloc", .covers = {Symbol::sdk_device_alloc, Symbol::sdk_device_free}, .memory = true) {
    Allocations allocations(c);
    ROW_EQ(c, allocations.make(0), std::uint64_t(0));
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const std::uint64_t bytes : {1u, 255u, 256u, 257u, 4096u, 100000u, 1u << 22}) {
        const std::uint64_t begin = allocations.make(bytes);
        ROW_REQUIRE(c, begin != 0);
        ROW_EQ(c, begin % 256, std::uint64_t(0));
        ranges.emplace_back(begin, begin + bytes);
    }
    std::sort(ranges.begin(), ranges.end());
    for (std::size_t i = 1; i < ranges.size(); ++i) ROW_EXPECT(c, ranges[i - 1].second <= ranges[i].first);
}

EAGLE_ROW("sdk-device-alloc-is-written", .covers = {Symbol::sdk_device_alloc}, .memory = true) {
    std::vector<Buffer<std::int64_t>> buffers;
    std::vector<std::vector<std::int64_t>> values;
    for (const std::size_t n : {1u, 31u, 32u, 33u, 5000u}) {
        std::vector<std::int64_t> numbers(n);
        for (auto& number : numbers) number = static_cast<std::int64_t>(c.random());
        buffers.emplace_back(c, numbers);
        values.push_back(numbers);
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) ROW_EQ(c, buffers[i].download(), values[i]);  // none over another
}

EAGLE_ROW("sdk-device-alloc-refusals", .covers = {Symbol::sdk_device_alloc, Symbol::sdk_device_free}) {
    std::uint64_t address = 5;
    for (const std::int32_t device : {-2, c.facts.devices, c.facts.devices + 9}) {
        ROW_STATUS(c, c.seam.sdk_device_alloc(device, 64, 0, &address), EAGLE_BACKEND_INVALID_ARGUMENT);
        ROW_STATUS(c, c.seam.sdk_device_free(device, 0, 0), EAGLE_BACKEND_INVALID_ARGUMENT);
    }
    ROW_STATUS(c, c.seam.sdk_device_alloc(c.device, 64, 0, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.sdk_device_alloc(c.device, std::uint64_t(1) << 60, 0, &address),
               EAGLE_BACKEND_SDK_OUT_OF_MEMORY);
    ROW_STATUS(c, c.seam.sdk_device_free(c.device, 0, 0), EAGLE_BACKEND_OK);
    int local = 0;
    ROW_EXPECT(c, c.seam.sdk_device_free(c.device, reinterpret_cast<std::uint64_t>(&local), 0) != EAGLE_BACKEND_OK);
    ROW_EXPECT(c, *c.seam.last_error() != '\0');
}

EAGLE_ROW("sdk-device-free-is-stream-ordered", .covers = {Symbol::sdk_device_free},
          .needs = {Symbol::sdk_device_alloc, Symbol::stream_create, Symbol::memcpy_device, Symbol::host_func},
          .memory = true, .kernels = true) {
    const StreamHandle stream(c);
    constexpr std::size_t n = 100000;
    Buffer<std::int64_t> result(c, n);
    std::uint64_t address = 0;
    ROW_OK(c, c.seam.sdk_device_alloc(c.device, n * 8, stream.raw(), &address));
    {
        Gate gate(c, stream.raw());
        auto* x = reinterpret_cast<std::int64_t*>(address);
        Launch(c, "conformance_fill").with(std::int64_t{5}).with(x).over(n).on(stream.raw()).run();
        Launch(c, "conformance_twice_and").with(std::int64_t{1}).with(x).over(n).on(stream.raw()).run();
        ROW_OK(c, c.seam.memcpy_device(result.address(), address, n * 8, stream.raw()));
        ROW_OK(c, c.seam.sdk_device_free(c.device, address, stream.raw()));
        // What is allocated meanwhile is not that memory: its work has not run.
        std::vector<Buffer<std::int64_t>> others;
        for (int i = 0; i < 4; ++i) others.emplace_back(c, std::vector<std::int64_t>(n, -1));
    }
    stream.synchronize();
    ROW_EQ(c, result.download(), std::vector<std::int64_t>(n, 11));
}

// An open capture makes allocations impossible and puts frees off; the capture itself is unharmed.
EAGLE_ROW("sdk-device-memory-in-a-capture", .covers = {Symbol::sdk_device_alloc, Symbol::sdk_device_free},
          .needs = {Symbol::stream_create, Symbol::capturer_create, Symbol::capturer_begin, Symbol::capturer_end,
                    Symbol::captured_is_valid},
          .memory = true, .kernels = true) {
    const StreamHandle stream(c);
    Buffer<std::int64_t> x(c, 8);
    std::uint64_t unneeded = 0, address = 9;
    ROW_OK(c, c.seam.sdk_device_alloc(c.device, 4096, c.stream(), &unneeded));
    c.synchronize();
    auto desc = make<struct eagle_backend_capturer_desc>();
    desc.device = c.device;
    desc.stream = stream.raw();
    Capturer capturer(c);
    ROW_OK(c, c.seam.capturer_create(&desc, capturer.out()));
    ROW_OK(c, c.seam.capturer_begin(capturer.get()));
    const eagle_backend_status status = c.seam.sdk_device_alloc(c.device, 64, stream.raw(), &address);
    ROW_EXPECT(c, status != EAGLE_BACKEND_OK && status != EAGLE_BACKEND_SDK_OUT_OF_MEMORY);
    expect_words(c, "captur");
    ROW_STATUS(c, c.seam.sdk_device_free(c.device, unneeded, c.stream()), EAGLE_BACKEND_OK);
    Launch(c, "conformance_fill").with(std::int64_t{5}).with(x.pointer()).over(8).on(stream.raw()).run();
    Captured captured(c);
    ROW_OK(c, c.seam.capturer_end(capturer.get(), captured.out()));
    std::int32_t valid = 0;
    ROW_OK(c, c.seam.captured_is_valid(captured.get(), &valid));
    ROW_EQ(c, valid, 1);
}
