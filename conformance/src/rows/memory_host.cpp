// Memory and functions of the host, and where memory lies.
#include <eagle/conformance/Buffer.h>
#include <eagle/conformance/Gate.h>
#include <eagle/conformance/Launch.h>
#include <eagle/conformance/Row.h>

#include <cstring>
#include <memory>
#include <set>

using namespace eagle::conformance;

namespace {

std::uint64_t at(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

// Page-locked memory, given back when it goes.
struct Pinned {
    Pinned(Context& context, std::uint64_t bytes) : c(context) { ROW_OK(c, c.seam.host_alloc(bytes, &address)); }
    ~Pinned() { c.seam.host_free(address); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    std::int64_t* integers() const { return reinterpret_cast<std::int64_t*>(address); }
    Context& c;
    std::uint64_t address = 0;
};

// Notes what it is called with, in the order of the calls.
struct Note {
    std::vector<int>* log;
    int number;
    static void run(void* ctx) {
        const auto* note = static_cast<Note*>(ctx);
        note->log->push_back(note->number);
    }
};

}  // namespace

EAGLE_ROW("memory-host-alloc", .covers = {Symbol::host_alloc, Symbol::host_free}) {
    for (const std::uint64_t bytes : {std::uint64_t(1), std::uint64_t(4096), std::uint64_t(1) << 20}) {
        const Pinned one(c, bytes), two(c, bytes);
        ROW_REQUIRE(c, one.address != 0 && two.address != 0);
        ROW_EXPECT(c, one.address % 16 == 0);
        ROW_EXPECT(c, one.address + bytes <= two.address || two.address + bytes <= one.address);
        std::memset(one.integers(), 0x11, bytes);
        std::memset(two.integers(), 0x22, bytes);
        const auto* first = reinterpret_cast<const unsigned char*>(one.address);
        ROW_EXPECT(c, first[0] == 0x11 && first[bytes - 1] == 0x11);
    }
}

EAGLE_ROW("memory-host-alloc-refusals", .covers = {Symbol::host_alloc, Symbol::host_free}) {
    std::uint64_t address = 5;
    ROW_STATUS(c, c.seam.host_alloc(0, &address), EAGLE_BACKEND_OK);
    ROW_EQ(c, address, std::uint64_t(0));
    ROW_STATUS(c, c.seam.host_alloc(16, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    address = 5;
    const eagle_backend_status status = c.seam.host_alloc(std::uint64_t(1) << 60, &address);
    ROW_EXPECT(c, status != EAGLE_BACKEND_OK && status != EAGLE_BACKEND_SDK_OUT_OF_MEMORY);  // that one is of sdk alone
    ROW_EXPECT(c, *c.seam.last_error() != '\0');
    ROW_EQ(c, address, std::uint64_t(0));  // set first
    ROW_STATUS(c, c.seam.host_free(0), EAGLE_BACKEND_OK);
    int local = 0;
    ROW_EXPECT(c, c.seam.host_free(at(&local)) != EAGLE_BACKEND_OK);  // never its own
    ROW_EXPECT(c, *c.seam.last_error() != '\0');
}

EAGLE_ROW("memory-host-alloc-is-copied", .covers = {Symbol::host_alloc},
          .needs = {Symbol::memcpy, Symbol::stream_create}, .memory = true) {
    const StreamHandle stream(c);
    constexpr std::size_t n = 5000;
    const Pinned there(c, n * 8), back(c, n * 8);
    Buffer<std::int64_t> device(c, n);
    for (std::size_t i = 0; i < n; ++i) there.integers()[i] = static_cast<std::int64_t>(c.random());
    ROW_OK(c, c.seam.memcpy(device.address(), there.address, n * 8, EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, stream.raw()));
    ROW_OK(c, c.seam.memcpy(back.address, device.address(), n * 8, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, stream.raw()));
    stream.synchronize();
    ROW_EQ(c, std::memcmp(there.integers(), back.integers(), n * 8), 0);
}

EAGLE_ROW("memory-host-func-in-order", .covers = {Symbol::host_func}, .needs = {Symbol::stream_create}) {
    const StreamHandle stream(c);
    std::vector<int> log;
    std::vector<Note> notes;
    for (int i = 0; i < 100; ++i) notes.push_back({&log, i});
    for (Note& note : notes) ROW_OK(c, c.seam.host_func(stream.raw(), &Note::run, &note));
    stream.synchronize();
    std::vector<int> expected;
    for (int i = 0; i < 100; ++i) expected.push_back(i);
    ROW_EQ(c, log, expected);  // each once
    ROW_STATUS(c, c.seam.host_func(stream.raw(), nullptr, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
}

// A host function sees what the work before it left, and the work behind it sees what the function left.
EAGLE_ROW("memory-host-func-between-work", .covers = {Symbol::host_func},
          .needs = {Symbol::stream_create, Symbol::memcpy, Symbol::host_alloc}, .memory = true, .kernels = true) {
    struct Step {
        std::int64_t *value, seen;
        static void run(void* ctx) {
            auto* step = static_cast<Step*>(ctx);
            step->seen = *step->value;
            *step->value += 100;
        }
    };
    const StreamHandle stream(c);
    const Pinned cell(c, 8);
    Buffer<std::int64_t> x(c, std::vector<std::int64_t>{3});
    std::vector<Step> steps(20, Step{cell.integers(), -1});
    for (Step& step : steps) {
        Launch(c, "conformance_twice_and").with(std::int64_t{1}).with(x.pointer()).on(stream.raw()).run();
        ROW_OK(c, c.seam.memcpy(cell.address, x.address(), 8, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, stream.raw()));
        ROW_OK(c, c.seam.host_func(stream.raw(), &Step::run, &step));
        ROW_OK(c, c.seam.memcpy(x.address(), cell.address, 8, EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, stream.raw()));
    }
    stream.synchronize();
    std::int64_t expected = 3;
    for (const Step& step : steps) {
        expected = 2 * expected + 1;
        ROW_EQ(c, step.seen, expected);
        expected += 100;
    }
    ROW_EQ(c, x.at(0), expected);
}

EAGLE_ROW("memory-host-func-waits-its-turn", .covers = {Symbol::host_func}, .needs = {Symbol::stream_create}) {
    const StreamHandle stream(c);
    std::vector<int> log;
    Note note{&log, 1};
    {
        Gate gate(c, stream.raw());
        ROW_OK(c, c.seam.host_func(stream.raw(), &Note::run, &note));
        ROW_EXPECT(c, log.empty());
    }
    stream.synchronize();
    ROW_EQ(c, log, std::vector<int>{1});
}

EAGLE_ROW("memory-pointer-residency", .covers = {Symbol::pointer_residency}, .memory = true) {
    auto residency = [&](std::uint64_t address) {
        std::int32_t cls = -1;
        ROW_OK(c, c.seam.pointer_residency(c.device, address, &cls));
        return cls;
    };
    const Buffer<std::int64_t> device(c, 100);
    const std::int32_t of_device = residency(device.address());
    ROW_EXPECT(c, c.facts.is_host_kind()
                      ? of_device == EAGLE_BACKEND_RESIDENCY_HOST
                      : of_device == EAGLE_BACKEND_RESIDENCY_DEVICE || of_device == EAGLE_BACKEND_RESIDENCY_MANAGED);
    const auto plain = std::make_unique<std::int64_t[]>(100);
    const std::int32_t of_plain = residency(at(plain.get()));
    ROW_EXPECT(c, of_plain == EAGLE_BACKEND_RESIDENCY_HOST || of_plain == EAGLE_BACKEND_RESIDENCY_PAGEABLE);
    if (c.facts.has(Symbol::host_alloc) && c.facts.has(Symbol::host_free)) {
        const Pinned pinned(c, 800);
        const std::int32_t of_pinned = residency(pinned.address);
        ROW_EXPECT(c, of_pinned == EAGLE_BACKEND_RESIDENCY_HOST || of_pinned == EAGLE_BACKEND_RESIDENCY_MAPPED_PINNED);
    }
}

EAGLE_ROW("memory-pointer-residency-refusals", .covers = {Symbol::pointer_residency}, .memory = true) {
    const Buffer<std::int64_t> device(c, 100);
    std::int32_t cls = -1;
    for (const std::int32_t number : {-2, c.facts.devices, c.facts.devices + 50}) {
        ROW_STATUS(c, c.seam.pointer_residency(number, device.address(), &cls), EAGLE_BACKEND_INVALID_ARGUMENT);
    }
    ROW_STATUS(c, c.seam.pointer_residency(c.device, device.address(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_EQ(c, cls, -1);
}
