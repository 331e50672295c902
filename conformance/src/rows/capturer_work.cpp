// Everything that goes on a stream goes into a capture: recorded at the call, done at each replay.
#include <atomic>
#include <numeric>

#include "Graphs.h"

using namespace eagle::conformance;

namespace {

using Bytes = Buffer<std::uint8_t>;
using Ints = Buffer<std::int32_t>;

std::uint64_t address(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

// Memory of the host that outlives the replays.
struct Pinned {
    Context& c;
    std::int64_t* words = nullptr;
    std::uint64_t at = 0;
    Pinned(Context& row, std::size_t n) : c(row) {
        ROW_OK(c, c.seam.host_alloc(n * sizeof(std::int64_t), &at));
        words = reinterpret_cast<std::int64_t*>(at);
    }
    ~Pinned() { c.seam.host_free(at); }
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
};

// ceil over groups is the backend's; the words are the row's.
struct Kept {
    std::vector<std::int32_t> map;
    std::uint32_t count() const { return static_cast<std::uint32_t>(map.size()); }
    explicit Kept(const std::vector<std::uint8_t>& mask) {
        for (std::size_t i = 0; i < mask.size(); ++i) {
            if (mask[i]) map.push_back(static_cast<std::int32_t>(i));
        }
    }
};

std::vector<std::uint8_t> every(std::size_t n, std::size_t step) {
    std::vector<std::uint8_t> mask(n, 0);
    for (std::size_t i = 0; i < n; i += step) mask[i] = 1;
    return mask;
}

}  // namespace

EAGLE_ROW("capturer-takes-copies-between-host-and-device", .covers = {Symbol::capturer_end, Symbol::memcpy},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::host_alloc, Symbol::host_free},
          .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{7, 7, 7}), z(c, Words{0, 0, 0});
    Pinned in(c, 3), out(c, 3);
    constexpr std::uint64_t bytes = 3 * sizeof(std::int64_t);
    for (int i = 0; i < 3; ++i) in.words[i] = out.words[i] = 0;
    Recording recording(c, stream.raw());
    ROW_OK(c, c.seam.memcpy(y.address(), in.at, bytes, EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, stream.raw()));
    twice_and(c, stream.raw(), 1, y);
    ROW_OK(c, c.seam.memcpy(z.address(), y.address(), bytes, EAGLE_BACKEND_MEMCPY_DEVICE_TO_DEVICE, stream.raw()));
    ROW_OK(c, c.seam.memcpy(out.at, z.address(), bytes, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, stream.raw()));
    Captured captured = recording.end();
    ROW_EQ(c, y.download(), (Words{7, 7, 7}));
    const Launcher launcher = launcher_of(c, as_it_is(c, std::move(captured)), stream.raw());
    for (std::int64_t round = 0; round < 3; ++round) {
        for (int i = 0; i < 3; ++i) in.words[i] = 10 * round + i;
        replay(c, launcher);
        for (int i = 0; i < 3; ++i) ROW_EQ(c, out.words[i], 2 * (10 * round + i) + 1);
    }
}

EAGLE_ROW("capturer-takes-device-copies", .covers = {Symbol::capturer_end, Symbol::memcpy_device},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{1, 2}), z(c, Words{0, 0});
    Recording recording(c, stream.raw());
    ROW_OK(c, c.seam.memcpy_device(z.address(), y.address(), 16, stream.raw()));
    ROW_OK(c, c.seam.memcpy_device(z.address(), z.address(), 16, stream.raw()));  // onto itself
    ROW_OK(c, c.seam.memcpy_device(0, 0, 0, stream.raw()));                       // nothing
    twice_and(c, stream.raw(), 3, y);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    ROW_EQ(c, z.download(), (Words{0, 0}));
    replay(c, launcher);
    ROW_EQ(c, z.download(), (Words{1, 2}));
    replay(c, launcher);
    ROW_EQ(c, z.download(), (Words{5, 7}));
}

EAGLE_ROW("capturer-takes-fills", .covers = {Symbol::capturer_end, Symbol::memset_device},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{1, 2, 3});
    Recording recording(c, stream.raw());
    ROW_OK(c, c.seam.memset_device(y.address_of(1), 8, stream.raw()));
    twice_and(c, stream.raw(), 5, y);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    ROW_EQ(c, y.download(), (Words{1, 2, 3}));
    for (int i = 0; i < 2; ++i) replay(c, launcher);
    ROW_EQ(c, y.download(), (Words{after(1, {5, 5}), 5, after(3, {5, 5})}));
}

EAGLE_ROW("capturer-takes-host-functions-in-order", .covers = {Symbol::capturer_end, Symbol::host_func},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::memcpy, Symbol::host_alloc,
                    Symbol::host_free},
          .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{3});
    Pinned box(c, 1);
    box.words[0] = -1;
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 1, y);
    ROW_OK(c, c.seam.memcpy(box.at, y.address(), 8, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, stream.raw()));
    ROW_OK(c, c.seam.host_func(stream.raw(), [](void* at) { *static_cast<std::int64_t*>(at) *= 10; }, box.words));
    ROW_OK(c, c.seam.memcpy(y.address(), box.at, 8, EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, stream.raw()));
    twice_and(c, stream.raw(), 4, y);
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    ROW_EQ(c, box.words[0], -1);
    std::int64_t wanted = 3;
    for (int i = 0; i < 3; ++i) {
        replay(c, launcher);
        wanted = 2 * ((2 * wanted + 1) * 10) + 4;
        ROW_EQ(c, y.at(0), wanted);
    }
}

EAGLE_ROW("capturer-takes-compaction", .covers = {Symbol::capturer_end, Symbol::compact_device},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    constexpr std::size_t n = 1000;
    StreamHandle stream(c);
    Bytes mask(c, every(n, 1));
    Ints map(c, n);
    Cells count(c, std::vector<std::uint32_t>{0});
    auto desc = make<struct eagle_backend_compact_desc>();
    desc.device = c.device;
    desc.mask = mask.address();
    desc.index_map = map.address();
    desc.count = count.address();
    desc.n = n;
    desc.stream = stream.raw();
    ROW_OK(c, c.seam.compact_device(&desc));
    const Bytes scratch(c, static_cast<std::size_t>(desc.scratch_bytes));
    desc.scratch = scratch.address();
    Recording recording(c, stream.raw());
    ROW_OK(c, c.seam.compact_device(&desc));
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    ROW_EQ(c, count.at(0), 0u);
    for (std::size_t step : {1, 3, 64, 999, 2}) {
        mask.upload(every(n, step));
        replay(c, launcher);
        const Kept kept(every(n, step));
        ROW_EQ(c, count.at(0), kept.count());
        auto found = map.download();
        found.resize(kept.count());
        ROW_EQ(c, found, kept.map);
    }
}

EAGLE_ROW("capturer-takes-reorder-and-reset",
          .covers = {Symbol::capturer_end, Symbol::reorder_device, Symbol::reset_device},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    constexpr std::size_t n = 100;
    StreamHandle stream(c);
    const std::vector<std::uint8_t> odd = [] {
        std::vector<std::uint8_t> m(n);
        for (std::size_t i = 0; i < n; ++i) m[i] = i % 2;
        return m;
    }();
    Bytes mask(c, odd);
    Ints perm(c, n), inv(c, n), map(c, n);
    Cells words(c, std::vector<std::uint32_t>{0, 0, 1});  // count, span, fire
    const struct eagle_backend_reorder_plane plane = {mask.address(), 1, 0};
    auto desc = make<struct eagle_backend_reorder_desc>();
    desc.device = c.device;
    desc.n_planes = 1;
    desc.planes = address(&plane);
    desc.mask = mask.address();
    desc.perm = perm.address();
    desc.inv = inv.address();
    desc.index_map = map.address();
    desc.count = words.address_of(0);
    desc.span = words.address_of(1);
    desc.n = n;
    desc.stream = stream.raw();
    ROW_OK(c, c.seam.reorder_device(&desc));
    const Bytes scratch(c, static_cast<std::size_t>(desc.scratch_bytes));
    auto reset = desc;
    desc.scratch = scratch.address();
    Recording recording(c, stream.raw());
    ROW_OK(c, c.seam.reset_device(&reset));
    ROW_OK(c, c.seam.reorder_device(&desc));
    const Launcher launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
    std::vector<std::int32_t> order, back(n);
    for (std::int32_t i = 1; i < std::int32_t(n); i += 2) order.push_back(i);
    for (std::int32_t i = 0; i < std::int32_t(n); i += 2) order.push_back(i);
    for (std::size_t slot = 0; slot < n; ++slot) back[std::size_t(order[slot])] = std::int32_t(slot);
    for (int round = 0; round < 2; ++round) {
        mask.upload(odd);
        replay(c, launcher);
        ROW_EQ(c, perm.download(), order);
        ROW_EQ(c, inv.download(), back);
        ROW_EQ(c, words.at(0), n / 2);
        ROW_EQ(c, words.at(1), n / 2);
        std::vector<std::uint8_t> sorted(n, 0);
        std::fill(sorted.begin(), sorted.begin() + n / 2, std::uint8_t(1));
        ROW_EQ(c, mask.download(), sorted);
    }
}
