// What a capture left: valid until it is consumed or released.
#include "Graphs.h"

using namespace eagle::conformance;

EAGLE_ROW("captured-valid-until-it-is-consumed", .covers = {Symbol::captured_is_valid, Symbol::captured_release},
          .needs = {Symbol::graph_from_captured}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Captured captured = capture_of(c, stream.raw(), y, {1});
    eagle_backend_captured handle = captured.get();
    std::int32_t valid = -1;
    ROW_OK(c, c.seam.captured_is_valid(handle, &valid));
    ROW_EQ(c, valid, 1);
    const Graph graph = as_it_is(c, std::move(captured));
    ROW_STATUS(c, c.seam.captured_is_valid(handle, &valid), EAGLE_BACKEND_BAD_HANDLE);
    Graph second(c);
    ROW_STATUS(c, c.seam.graph_from_captured(handle, second.out()), EAGLE_BACKEND_BAD_HANDLE);
    c.seam.captured_release(handle);  // nobody's
    ROW_EXPECT(c, second.get() == nullptr);
}

EAGLE_ROW("captured-outlives-capturer-and-stream", .covers = {Symbol::captured_is_valid},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle other(c);
    Plane y(c, Words{0});
    Captured captured(c);
    {
        StreamHandle stream(c);
        captured = capture_of(c, stream.raw(), y, {1, 2});
    }
    std::int32_t valid = -1;
    ROW_OK(c, c.seam.captured_is_valid(captured.get(), &valid));
    ROW_EQ(c, valid, 1);
    replay(c, launcher_of(c, as_it_is(c, std::move(captured)), other.raw()));
    ROW_EQ(c, y.at(0), after(0, {1, 2}));
}

EAGLE_ROW("captured-null-and-stale-handles", .covers = {Symbol::captured_is_valid, Symbol::captured_release},
          .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Captured captured = capture_of(c, stream.raw(), y, {1});
    std::int32_t valid = -1;
    ROW_STATUS(c, c.seam.captured_is_valid(captured.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.captured_is_valid(nullptr, nullptr), EAGLE_BACKEND_BAD_HANDLE);  // the handle comes first
    eagle_backend_captured stale = captured.get();
    captured.reset();
    auto foreign = reinterpret_cast<eagle_backend_captured>(stream.get());
    auto invented = reinterpret_cast<eagle_backend_captured>(made_up);
    for (eagle_backend_captured dead : {eagle_backend_captured{}, stale, foreign, invented}) {
        ROW_STATUS(c, c.seam.captured_is_valid(dead, &valid), EAGLE_BACKEND_BAD_HANDLE);
    }
    c.seam.captured_release(nullptr);
    c.seam.captured_release(stale);
    stream.synchronize();
}
