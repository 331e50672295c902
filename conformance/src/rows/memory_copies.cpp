// Copies and fills.
#include <eagle/conformance/Buffer.h>
#include <eagle/conformance/Gate.h>
#include <eagle/conformance/Launch.h>
#include <eagle/conformance/Row.h>

#include <algorithm>

using namespace eagle::conformance;

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t room = 70000;
// A byte, odd sizes, and sizes about those of words, pages and blocks.
const std::vector<std::size_t> sizes{1, 3, 8, 31, 255, 256, 4095, 4096, 4097, 65537};
const std::vector<std::size_t> offsets{0, 1, 7, 64};

Bytes random_bytes(Context& c, std::size_t n) {
    Bytes bytes(n);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(c.random());
    return bytes;
}

std::uint64_t at(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

// What a copy of n bytes from `from` + a to `to` + b leaves.
Bytes copied(const Bytes& from, std::size_t a, Bytes to, std::size_t b, std::size_t n) {
    std::copy_n(from.begin() + std::ptrdiff_t(a), n, to.begin() + std::ptrdiff_t(b));
    return to;
}

}  // namespace

EAGLE_ROW("memory-memcpy-to-the-device-and-back", .covers = {Symbol::memcpy}, .needs = {Symbol::stream_create},
          .memory = true) {
    const StreamHandle stream(c);
    Buffer<std::uint8_t> device(c, room);
    for (const std::size_t n : sizes) {
        for (const std::size_t offset : offsets) {
            const Bytes sent = random_bytes(c, n), before = random_bytes(c, room);
            device.upload(before);
            ROW_OK(c, c.seam.memcpy(device.address_of(offset), at(sent.data()), n, EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE,
                                    stream.raw()));
            stream.synchronize();
            const Bytes there = copied(sent, 0, before, offset, n);
            ROW_EQ(c, device.download(), there);
            Bytes back(n + 2, 0x77);
            ROW_OK(c, c.seam.memcpy(at(back.data() + 1), device.address_of(offset), n,
                                    EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, stream.raw()));
            stream.synchronize();
            ROW_EQ(c, back, copied(sent, 0, Bytes(n + 2, 0x77), 1, n));
        }
    }
}

EAGLE_ROW("memory-memcpy-within-the-device", .covers = {Symbol::memcpy}, .needs = {Symbol::stream_create},
          .memory = true) {
    const StreamHandle stream(c);
    Buffer<std::uint8_t> from(c, random_bytes(c, room)), to(c, room);
    for (const std::size_t n : sizes) {
        for (const std::size_t offset : offsets) {
            const Bytes before = random_bytes(c, room);
            to.upload(before);
            ROW_OK(c, c.seam.memcpy(to.address_of(offset), from.address_of(13), n,
                                    EAGLE_BACKEND_MEMCPY_DEVICE_TO_DEVICE, stream.raw()));
            stream.synchronize();
            ROW_EQ(c, to.download(), copied(from.download(), 13, before, offset, n));
        }
    }
}

EAGLE_ROW("memory-memcpy-on-the-host", .covers = {Symbol::memcpy}, .needs = {Symbol::stream_create}) {
    const StreamHandle stream(c);
    const Bytes from = random_bytes(c, 5000), before = random_bytes(c, 5000);
    Bytes to = before;
    ROW_OK(c, c.seam.memcpy(at(to.data() + 3), at(from.data() + 8), 4001, EAGLE_BACKEND_MEMCPY_HOST_TO_HOST,
                            stream.raw()));
    stream.synchronize();
    ROW_EQ(c, to, copied(from, 8, before, 3, 4001));
}

EAGLE_ROW("memory-memcpy-onto-itself", .covers = {Symbol::memcpy}, .needs = {Symbol::stream_create}, .memory = true) {
    const StreamHandle stream(c);
    const Bytes bytes = random_bytes(c, 4097);
    Buffer<std::uint8_t> device(c, bytes);
    ROW_OK(c, c.seam.memcpy(device.address(), device.address(), bytes.size(), EAGLE_BACKEND_MEMCPY_DEVICE_TO_DEVICE,
                            stream.raw()));
    stream.synchronize();
    ROW_EQ(c, device.download(), bytes);
}

EAGLE_ROW("memory-memcpy-checks-in-order", .covers = {Symbol::memcpy}) {
    for (const std::int32_t kind : {-1, 4, 1000}) {  // before the size of 0
        ROW_STATUS(c, c.seam.memcpy(0, 0, 0, kind, 0), EAGLE_BACKEND_INVALID_ARGUMENT);
    }
    for (const std::int32_t kind : {0, 1, 2, 3}) {
        ROW_STATUS(c, c.seam.memcpy(0, 0, 0, kind, 0), EAGLE_BACKEND_OK);  // before the pointers
        ROW_STATUS(c, c.seam.memcpy(0, 256, 1, kind, 0), EAGLE_BACKEND_INVALID_ARGUMENT);
        ROW_STATUS(c, c.seam.memcpy(256, 0, 1, kind, 0), EAGLE_BACKEND_INVALID_ARGUMENT);
    }
}

EAGLE_ROW("memory-memcpy-device", .covers = {Symbol::memcpy_device}, .needs = {Symbol::stream_create}, .memory = true) {
    const StreamHandle stream(c);
    Buffer<std::uint8_t> from(c, random_bytes(c, room)), to(c, room);
    const Bytes source = from.download();
    for (const std::size_t n : sizes) {
        for (const std::size_t offset : offsets) {
            const Bytes before = random_bytes(c, room);
            to.upload(before);
            ROW_OK(c, c.seam.memcpy_device(to.address_of(offset), from.address_of(5), n, stream.raw()));
            stream.synchronize();
            ROW_EQ(c, to.download(), copied(source, 5, before, offset, n));
        }
    }
    ROW_STATUS(c, c.seam.memcpy_device(0, 0, 0, stream.raw()), EAGLE_BACKEND_OK);
    ROW_STATUS(c, c.seam.memcpy_device(0, from.address(), 1, stream.raw()), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.memcpy_device(to.address(), 0, 1, stream.raw()), EAGLE_BACKEND_INVALID_ARGUMENT);
}

EAGLE_ROW("memory-memset-device", .covers = {Symbol::memset_device}, .needs = {Symbol::stream_create}, .memory = true) {
    const StreamHandle stream(c);
    Buffer<std::uint8_t> device(c, room);
    for (const std::size_t n : sizes) {
        for (const std::size_t offset : offsets) {
            const Bytes before(room, 0x5b);
            device.upload(before);
            ROW_OK(c, c.seam.memset_device(device.address_of(offset), n, stream.raw()));
            stream.synchronize();
            ROW_EQ(c, device.download(), copied(Bytes(n, 0), 0, before, offset, n));
        }
    }
    ROW_STATUS(c, c.seam.memset_device(0, 0, stream.raw()), EAGLE_BACKEND_OK);
    ROW_STATUS(c, c.seam.memset_device(0, 1, stream.raw()), EAGLE_BACKEND_INVALID_ARGUMENT);
}

// Each of the three stands between two kernels, behind a gate: it reads what the first wrote, and the second reads what
// it left.
EAGLE_ROW("memory-copies-are-stream-ordered", .covers = {Symbol::memcpy, Symbol::memcpy_device, Symbol::memset_device},
          .needs = {Symbol::stream_create, Symbol::host_func}, .memory = true, .kernels = true) {
    const StreamHandle stream(c);
    constexpr std::size_t n = 1000;
    using Integers = std::vector<std::int64_t>;
    Buffer<std::int64_t> x(c, Integers(n, 1)), y(c, Integers(n, -5)), z(c, Integers(n, -6)), w(c, Integers(n, 9));
    auto twice_and = [&](std::int64_t value, const Buffer<std::int64_t>& on) {
        Launch(c, "conformance_twice_and").with(value).with(on.pointer()).over(n).on(stream.raw()).run();
    };
    {
        Gate gate(c, stream.raw());
        twice_and(1, x);  // 3
        ROW_OK(c, c.seam.memcpy(y.address(), x.address(), n * 8, EAGLE_BACKEND_MEMCPY_DEVICE_TO_DEVICE, stream.raw()));
        twice_and(4, y);  // 10
        ROW_OK(c, c.seam.memcpy_device(z.address(), y.address(), n * 8, stream.raw()));
        twice_and(5, z);  // 25
        twice_and(0, w);
        ROW_OK(c, c.seam.memset_device(w.address(), n * 8, stream.raw()));
        twice_and(6, w);                                                  // 6
        if (c.facts.is_host_kind()) ROW_EQ(c, w.at(0), std::int64_t(9));  // none of it has run
    }
    stream.synchronize();
    ROW_EQ(c, x.download(), Integers(n, 3));
    ROW_EQ(c, y.download(), Integers(n, 10));
    ROW_EQ(c, z.download(), Integers(n, 25));
    ROW_EQ(c, w.download(), Integers(n, 6));
}
