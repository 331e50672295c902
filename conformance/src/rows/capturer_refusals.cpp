// What a capturer is made of, and handles that are none.
#include "Graphs.h"

using namespace eagle::conformance;

namespace {

using Desc = struct eagle_backend_capturer_desc;

Desc good(Context& c, const StreamHandle& stream) {
    auto desc = make<Desc>();
    desc.device = c.device;
    desc.stream = stream.raw();
    return desc;
}

}  // namespace

EAGLE_ROW("capturer-desc-is-checked", .covers = {Symbol::capturer_create}, .needs = {Symbol::stream_create}) {
    StreamHandle stream(c);
    Capturer out(c);
    ROW_STATUS(c, c.seam.capturer_create(nullptr, out.out()), EAGLE_BACKEND_INVALID_ARGUMENT);
    Desc desc = good(c, stream);
    desc.struct_size = 11;
    desc.flags = 0x40;
    ROW_STATUS(c, c.seam.capturer_create(&desc, out.out()), EAGLE_BACKEND_INVALID_ARGUMENT);  // before the flags
    desc = good(c, stream);
    desc.flags = 0x40;
    ROW_SAYS(c, c.seam.capturer_create(&desc, nullptr), EAGLE_BACKEND_UNSUPPORTED, "0x40");  // before the output
    desc = good(c, stream);
    ROW_STATUS(c, c.seam.capturer_create(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    for (std::int32_t device : {-2, c.facts.devices}) {
        desc.device = device;
        ROW_STATUS(c, c.seam.capturer_create(&desc, out.out()), EAGLE_BACKEND_INVALID_ARGUMENT);
    }
    ROW_EXPECT(c, out.get() == nullptr);
}

EAGLE_ROW("capturer-desc-of-other-sizes", .covers = {Symbol::capturer_create}, .needs = {Symbol::stream_create}) {
    StreamHandle stream(c);
    Larger<Desc> larger;
    larger.desc.device = -1;  // of the stream
    larger.desc.stream = stream.raw();
    Capturer out(c);
    ROW_OK(c, c.seam.capturer_create(&larger.desc, out.out()));
    ROW_OK(c, c.seam.capturer_begin(out.get()));
    Captured captured(c);
    ROW_OK(c, c.seam.capturer_end(out.get(), captured.out()));
}

EAGLE_ROW("capturer-null-handle", .covers = {Symbol::capturer_begin, Symbol::capturer_end, Symbol::capturer_release},
          .devices = 0) {
    Captured captured(c);
    ROW_STATUS(c, c.seam.capturer_begin(nullptr), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.capturer_end(nullptr, captured.out()), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.capturer_end(nullptr, nullptr), EAGLE_BACKEND_BAD_HANDLE);  // the handle comes first
    c.seam.capturer_release(nullptr);
}

EAGLE_ROW("capturer-graph-of-a-null-handle", .covers = {Symbol::capturer_graph}, .devices = 0) {
    std::uint64_t graph = 0;
    ROW_STATUS(c, c.seam.capturer_graph(nullptr, &graph), EAGLE_BACKEND_BAD_HANDLE);
}

EAGLE_ROW("capturer-stale-handle", .covers = {Symbol::capturer_begin, Symbol::capturer_end, Symbol::capturer_release},
          .needs = {Symbol::stream_create}) {
    StreamHandle stream(c);
    const Desc desc = good(c, stream);
    Capturer capturer(c);
    ROW_OK(c, c.seam.capturer_create(&desc, capturer.out()));
    eagle_backend_capturer stale = capturer.get();
    capturer.reset();
    Captured captured(c);
    ROW_STATUS(c, c.seam.capturer_begin(stale), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.capturer_end(stale, captured.out()), EAGLE_BACKEND_BAD_HANDLE);
    c.seam.capturer_release(stale);
    auto foreign = reinterpret_cast<eagle_backend_capturer>(stream.get());  // of another type
    ROW_STATUS(c, c.seam.capturer_begin(foreign), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.capturer_begin(reinterpret_cast<eagle_backend_capturer>(made_up)), EAGLE_BACKEND_BAD_HANDLE);
    stream.synchronize();
}

EAGLE_ROW("capturer-refuses-what-a-capture-cannot-hold", .covers = {Symbol::capturer_begin},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::sdk_device_alloc}, .memory = true,
          .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{1});
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 5, y);
    std::uint64_t address = 0;
    ROW_REFUSED(c, c.seam.sdk_device_alloc(c.device, 64, stream.raw(), &address));
    ROW_EQ(c, address, 0u);
    ROW_REFUSED(c, c.seam.stream_synchronize(stream.get()));
    twice_and(c, stream.raw(), 6, y);
    Captured captured = recording.end();  // the refusals have not spoilt it
    replay(c, launcher_of(c, as_it_is(c, std::move(captured)), stream.raw()));
    ROW_EQ(c, y.at(0), after(1, {5, 6}));
}

EAGLE_ROW("capturer-puts-off-a-free", .covers = {Symbol::capturer_begin},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch, Symbol::sdk_device_alloc,
                    Symbol::sdk_device_free},
          .memory = true, .kernels = true) {
    StreamHandle stream(c), other(c);
    Plane y(c, Words{1});
    std::uint64_t address = 0;
    ROW_OK(c, c.seam.sdk_device_alloc(c.device, 64, other.raw(), &address));
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 5, y);
    ROW_OK(c, c.seam.sdk_device_free(c.device, address, other.raw()));
    twice_and(c, stream.raw(), 6, y);
    Captured captured = recording.end();
    replay(c, launcher_of(c, as_it_is(c, std::move(captured)), stream.raw()));
    ROW_EQ(c, y.at(0), after(1, {5, 6}));
}
