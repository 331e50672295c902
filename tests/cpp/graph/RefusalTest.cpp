// What recording refuses, in its words; nothing changes when it does.
#include <eagle/GraphDescription.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "Handmade.h"
#include "Kernels.h"

using namespace eagle;
using namespace eagle::graph;
using handmade::refusal;

namespace {

const SourceLine at{"heat.py", 20};

class Refusal : public testing::Test {
  protected:
    template <class E, class F>
    void refused(F call, const std::string& text) {
        const auto planes = g.planes().size(), nodes = g.nodes().size(), bodies = g.bodies().size();
        EXPECT_EQ(refusal<E>(call), "heat.py:20: " + text);
        EXPECT_EQ(g.planes().size(), planes);
        EXPECT_EQ(g.nodes().size(), nodes);
        EXPECT_EQ(g.bodies().size(), bodies);
    }

    std::vector<double> a = std::vector<double>(16), b = std::vector<double>(16);
    std::vector<std::uint8_t> m = std::vector<std::uint8_t>(16);
    std::vector<std::int32_t> i = std::vector<std::int32_t>(16);
    std::vector<std::uint32_t> c = std::vector<std::uint32_t>(16);
    GraphDescription g{"heat", {"heat.py", 1}};
    PlaneRef x = g.plane("x", handmade::view(a), {"heat.py", 2}), y = g.plane("y", handmade::view(b), {"heat.py", 3});
    PlaneRef mask = g.plane("mask", handmade::view(m), {"heat.py", 4});
    PlaneRef map = g.plane("map", handmade::view(i), {"heat.py", 5});
    CellRef cell = g.cell("cell", reinterpret_cast<std::uint64_t>(c.data()), {1, 0}, {"heat.py", 6});
    const std::string x_text = "plane 'x' (float64[16], host memory, heat.py:2)";
    const std::string y_text = "plane 'y' (float64[16], host memory, heat.py:3)";
};

TEST_F(Refusal, names_of_planes) {
    refused<ArgumentError>([&] { g.plane("", handmade::view(a), at); },
                           "a plane has an empty name; it needs one: name it");
    refused<ArgumentError>([&] { g.scratch("a\nb", {4}, Dtype::float64, at); },
                           "the name of a plane holds a control character; it needs a printable one");
    refused<ArgumentError>(
        [&] { g.plane("x", handmade::view(a), at); },
        "a plane named 'x' was declared before (heat.py:2); names of planes are unique: give another "
        "name, or use that plane");
}

TEST_F(Refusal, arrays_that_are_none) {
    ArrayView view = handmade::view(a);
    view.data = nullptr;
    refused<BufferRefused>([&] { g.plane("p", view, at); },
                           "plane 'p' (float64[16]) has no memory; it needs the address of its first element");
    view = handmade::view(a);
    view.device_type = 0;
    refused<BufferRefused>([&] { g.plane("p", view, at); },
                           "plane 'p' has device type 0; it needs a DLPack device type, 1 (host memory) or more");
    view = handmade::view(a);
    view.ndim = 9;
    refused<LayoutError>([&] { g.plane("p", view, at); }, "plane 'p' has 9 dimensions; it needs 0 to 8: reshape it");
    view = handmade::view(a);
    view.shape[0] = -1;
    refused<LayoutError>([&] { g.plane("p", view, at); }, "plane 'p' has extent -1 in dimension 0; it needs 0 or more");
    view = handmade::view(a);
    view.type.bits = 0;
    refused<BufferRefused>([&] { g.plane("p", view, at); },
                           "plane 'p' has elements of 0 bits; it needs an element type with a size");
    view = handmade::view(a);
    view.strides[0] = std::numeric_limits<std::int64_t>::max() / 4;
    refused<LayoutError>([&] { g.plane("p", view, at); },
                         "plane 'p' spans more bytes than memory can have; it needs a smaller shape");
    view = handmade::view(a);
    view.strides[0] = -(std::int64_t{1} << 58);
    refused<LayoutError>(
        [&] { g.plane("p", view, at); },
        "plane 'p' (float64[16]) reaches past the end of the address space; its strides or its address "
        "are wrong");
    const std::int64_t huge = std::int64_t{1} << 40;
    refused<LayoutError>([&] { g.scratch("p", {huge, huge}, Dtype::float64, at); },
                         "plane 'p' spans more bytes than memory can have; it needs a smaller shape");
    refused<LayoutError>([&] { g.scratch("p", {1, 1, 1, 1, 1, 1, 1, 1, 1}, Dtype::float64, at); },
                         "plane 'p' has 9 dimensions; it needs 0 to 8: reshape it");
}

TEST_F(Refusal, views_and_cells_that_lie_elsewhere) {
    const std::array<std::int64_t, 1> four{4}, eight{8}, none{};
    refused<LayoutError>([&] { g.view("v", x, 104, four, eight, at); },
                         "view 'v' (float64[4]) at byte 104 reaches outside " + x_text +
                             ", which has the bytes 0 to 128; give an offset, a shape and strides that lie inside");
    refused<LayoutError>([&] { g.view("v", x, 0, four, std::span(none).first(0), at); },
                         "view 'v' has 1 extents and 0 strides; it needs one stride, in bytes, for each extent");
    refused<BadHandle>([&] { g.view("v", {}, 0, four, eight, at); },
                       "view 'v' was given no plane; it needs one that this graph declared with plane(), scratch(), "
                       "view() or cell()");
    refused<BufferRefused>(
        [&] { g.cell("k", x, 0, at); },
        "cell 'k' is an element of " + x_text +
            "; it needs a plane of uint32, or one of int32 or int64, whose low 32 bits are the cell");
    const auto words = g.plane("words", handmade::view(c), {"heat.py", 7});
    refused<IndexError>(
        [&] { g.cell("k", words, 16, at); },
        "cell 'k' is element 16 of plane 'words' (uint32[16], host memory, heat.py:7); it needs an index "
        "from 0 to 15");
    refused<BufferRefused>([&] { g.cell("k", 4097, {1, 0}, at); },
                           "cell 'k' lies at an address that is no multiple of 4; it needs an aligned uint32");
    refused<BufferRefused>(
        [&] { g.as_cell(words, at); },
        "plane 'words' (uint32[16], host memory, heat.py:7) is no cell; a cell is one uint32, as the low half of one "
        "int64 is: take an element (in C++ with cell(name, plane, index), in Python with plane[i:i + 1])");
    refused<BufferRefused>(
        [&] { g.as_cell(x, at); },
        x_text +
            " is no cell, since its dtype is float64; what decides control flow is one integer, int64, int32 or "
            "uint32: give a plane of one int64, such as g.scratch(1, \"int64\") in Python, which a kernel that returns "
            "an Index writes");
    refused<BufferRefused>(
        [&] { g.if_({words}, {}, at); },
        "node 'if' as its guard was given plane 'words' (uint32[16], host memory, heat.py:7); a cell "
        "is one uint32: give what cell() returned, or one element of a plane");
}

TEST_F(Refusal, planes_of_another_graph) {
    GraphDescription other;
    const auto foreign = other.plane("x", handmade::view(a));
    refused<BadHandle>(
        [&] { g.fill(foreign, 1, {}, at); },
        "a fill was given a plane of another graph; it needs one of graph 'heat': declare the array in it "
        "with plane()");
    refused<BadHandle>(
        [&] { g.copy(x, foreign, {}, at); },
        "node 'copy' was given a plane of another graph; it needs one of graph 'heat': declare the array "
        "in it with plane()");
    const PlaneRef beyond{g.id(), 99};
    refused<BadHandle>([&] { g.copy(x, beyond, {}, at); },
                       "node 'copy' was given plane number 99; graph 'heat' has 5: use what its plane(), scratch(), "
                       "view() and cell() return");
    EXPECT_NE(refusal<BadHandle>([&] { g.node({other.id(), 0}); }).find("was asked for a node of another graph"),
              std::string::npos);
}

TEST_F(Refusal, names_of_nodes) {
    g.fill(x, 1, "clear", {"heat.py", 9});
    refused<ArgumentError>([&] { g.fill(x, 1, "clear", at); },
                           "a node named 'clear' was recorded before (heat.py:9); names of nodes are unique: give "
                           "another name, or none");
    refused<ArgumentError>([&] { g.fill(x, 1, "a\tb", at); },
                           "the name of a node holds a control character; it needs a printable one");
}

TEST_F(Refusal, copies_that_do_not_fit) {
    const auto floats = g.scratch("floats", {16}, Dtype::float32, {"heat.py", 8});
    const auto shorter = g.scratch("shorter", {8}, Dtype::float64, {"heat.py", 9});
    const std::string does = "node 'copy' copies " + x_text + " into plane ";
    refused<BufferRefused>([&] { g.copy(floats, x, {}, at); },
                           does +
                               "'floats' (float32[16], scratch, heat.py:8); it needs equal element types: a kernel "
                               "converts");
    refused<LayoutError>([&] { g.copy(shorter, x, {}, at); },
                         does +
                             "'shorter' (float64[8], scratch, heat.py:9); it needs equal shapes: take a view of the "
                             "part that is meant");
    const std::array<std::int64_t, 1> eight{8}, wide{16};
    const auto even = g.view("even", x, 0, eight, wide, {"heat.py", 10});
    refused<LayoutError>([&] { g.copy(shorter, even, {}, at); },
                         "node 'copy' was given plane 'even' (float64[8], host memory, heat.py:10), which has gaps or "
                         "another order than row-major; it needs a dense plane: gather it with a kernel first");
    const std::array<std::int64_t, 1> dense{8};
    const auto low = g.view("low", x, 0, eight, dense, {"heat.py", 11}),
               mid = g.view("mid", x, 32, eight, dense, {"heat.py", 12});
    refused<InvalidArgument>([&] { g.copy(mid, low, {}, at); },
                             "node 'copy' was given plane 'low' (float64[8], host memory, heat.py:11) and plane 'mid' "
                             "(float64[8], host memory, heat.py:12), which share bytes; it needs planes that do not "
                             "overlap");
    const auto nothing = g.scratch("nothing", {0}, Dtype::float64, {"heat.py", 13});
    refused<LayoutError>(
        [&] { g.copy(nothing, nothing, {}, at); },
        "node 'copy' was given plane 'nothing' (float64[0], scratch, heat.py:13), which has no elements; "
        "it needs 1 or more: leave the node out");
}

TEST_F(Refusal, read_only_planes_that_are_written) {
    ArrayView view = handmade::view(a);
    view.read_only = true;
    const auto fixed = g.plane("fixed", view, {"heat.py", 8});
    refused<BufferRefused>(
        [&] { g.fill(fixed, 1, {}, at); },
        "node 'fill' writes plane 'fixed' (float64[16], host memory, heat.py:8), which is read-only; "
        "it needs a writable one: pass a copy");
    refused<BufferRefused>(
        [&] { g.host([] {}, {}, {fixed}, "save", at); },
        "node 'save' writes plane 'fixed' (float64[16], host memory, heat.py:8), which is read-only; "
        "it needs a writable one: pass a copy");
    const std::array<std::int64_t, 1> four{4}, still{0};
    const auto same = g.view("same", x, 0, four, still, {"heat.py", 9});
    refused<LayoutError>(
        [&] { g.host([] {}, {}, {same}, "save", at); },
        "node 'save' writes plane 'same' (float64[4], host memory, heat.py:9), elements of which share "
        "memory; it needs distinct elements: pass a copy");
    auto loop = g.repeat(3, "turn", {"heat.py", 10});
    refused<BufferRefused>([&] { g.fill(loop.iteration(), 0, {}, at); },
                           "node 'fill' writes cell 'turn.iteration' (uint32[1], scratch, heat.py:10), which only its "
                           "loop writes; write a cell of your own");
}

TEST_F(Refusal, fills_that_do_not_fit) {
    const std::array<std::byte, 16> bytes{};
    refused<InvalidArgument>([&] { g.fill(x, std::span(bytes).first(3), {}, at); },
                             "node 'fill' has a pattern of 3 bytes; it needs 1, 2, 4, 8 or 16");
    const auto odd = g.scratch("odd", {3}, Dtype::float64, {"heat.py", 8});
    refused<InvalidArgument>(
        [&] { g.fill(odd, std::span(bytes), {}, at); },
        "node 'fill' has a pattern of 16 bytes for the 24 bytes of plane 'odd' (float64[3], scratch, "
        "heat.py:8); it needs a pattern that fits in a whole number of times");
    const std::string map_text = "a fill of plane 'map' (int32[16], host memory, heat.py:5): ";
    refused<InvalidArgument>([&] { g.fill(map, 1.5, {}, at); },
                             map_text +
                                 "the value is 1.500000, which int32 does not hold; it needs a whole number in the "
                                 "range of that type");
    refused<InvalidArgument>([&] { g.fill(map, std::int64_t{1} << 40, {}, at); },
                             map_text +
                                 "the value is 1099511627776, which int32 does not hold; it needs a whole number "
                                 "in the range of that type");
    refused<InvalidArgument>([&] { g.fill(map, 2147483648.0, {}, at); },
                             map_text +
                                 "the value is 2147483648.000000, which int32 does not hold; it needs a whole "
                                 "number in the range of that type");
    refused<InvalidArgument>(
        [&] { g.fill(mask, 2, {}, at); },
        "a fill of plane 'mask' (bool[16], host memory, heat.py:4): the value is 2, which bool does "
        "not hold; it needs 0 or 1");
    const auto half =
        g.scratch("half", std::array<std::int64_t, 1>{4}, {TypeCode::floating, 16, 1, false}, {"heat.py", 9});
    refused<BufferRefused>(
        [&] { g.fill(half, 1, {}, at); },
        "a fill of plane 'half' (float16[4], scratch, heat.py:9): a number cannot be turned into float16, "
        "only into bool, float32, float64 and integers of this machine's byte order; give the bytes of "
        "one element instead");
}

TEST_F(Refusal, functions_that_are_none) {
    refused<InvalidArgument>([&] { g.function(0, 4, {}, "f", {}, at); },
                             "node 'f' launches function 0; it needs what module_function gave");
    refused<InvalidArgument>([&] { g.function(1, 0, {}, "f", {}, at); },
                             "node 'f' launches over 0 samples; it needs 1 or more: leave the node out");
    FunctionOptions options;
    options.block = 0;
    refused<InvalidArgument>([&] { g.function(1, 4, {}, "f", options, at); },
                             "node 'f' has block 0; it needs 1 or more");
    FunctionArgument empty, both;
    empty.name = "k";
    refused<InvalidArgument>([&] { g.function(1, 4, {empty}, "f", {}, at); },
                             "node 'f', argument 0 'k' has no plane and 0 bytes; it needs a plane, or 1 to 16 bytes");
    both.plane = x;
    both.bytes.resize(8);
    refused<InvalidArgument>([&] { g.function(1, 4, {both}, "f", {}, at); },
                             "node 'f', argument 0 has a plane and 8 bytes; it needs one of the two");
    FunctionArgument named;
    named.bytes.resize(8);
    named.updatable_as = "x";
    refused<ArgumentError>([&] { g.function(1, 4, {named}, "f", {}, at); },
                           "node 'f' has a number that is given anew as 'x', which is the name of a plane; give the "
                           "number another name");
    refused<InvalidArgument>([&] { g.host({}, {}, {}, "h", at); }, "node 'h' has no function; it needs one");
    refused<InvalidArgument>([&] { g.opaque({}, {}, {}, "o", at); }, "node 'o' has no function; it needs one");
}

TEST_F(Refusal, launches_say_what_arguments_say) {
    const Plan scale(Artifact::load(handmade::example()).kernel());
    refused<ArgumentError>([&] { g.launch(scale, {{"x", x}, {"out", y}, {"a", 2.0}}, {}, at); },
                           "node 'scale': " + refusal<ArgumentError>([&] {
                               scale.bind({{"x", handmade::view(a)}, {"out", handmade::view(b)}, {"a", 2.0}});
                           }));
    refused<BufferRefused>(
        [&] { g.launch(scale, {{"x", map}, {"out", y}, {"a", 2.0}, {"b", 1.0}}, {}, at); },
        "node 'scale': " + refusal<BufferRefused>([&] {
            scale.bind({{"x", handmade::view(i)}, {"out", handmade::view(b)}, {"a", 2.0}, {"b", 1.0}});
        }));
    const auto nothing = g.scratch("nothing", {0}, Dtype::float64), none = g.scratch("none", {0}, Dtype::float64);
    refused<LayoutError>([&] { g.launch(scale, {{"x", nothing}, {"out", none}, {"a", 2.0}, {"b", 1.0}}, {}, at); },
                         "node 'scale' launches kernel 'scale' over 0 samples; it needs 1 or more: leave the node out");
    refused<ArgumentError>(
        [&] { g.launch(scale, {{"x", x}, {"out", y}, {"a", Number{2.0, "y"}}, {"b", 1.0}}, {}, at); },
        "node 'scale' has a number that is given anew as 'y', which is the name of a plane; give the number another "
        "name");
}

TEST_F(Refusal, reductions_that_do_not_fit) {
    const auto one = g.scratch("one", {1}, Dtype::float64, {"heat.py", 8});
    refused<LayoutError>([&] { g.reduce(Fold::sum, x, y, {}, at); },
                         "node 'sum' reduces into " + y_text + "; it needs a plane of one element");
    refused<BufferRefused>([&] { g.reduce(Fold::max, map, one, {}, at); },
                           "node 'max' reduces plane 'map' (int32[16], host memory, heat.py:5) into plane 'one' "
                           "(float64[1], scratch, heat.py:8); it needs int32 there");
    refused<BufferRefused>([&] { g.reduce(Fold::all, mask, one, {}, at); },
                           "node 'all' reduces plane 'mask' (bool[16], host memory, heat.py:4) into plane 'one' "
                           "(float64[1], scratch, heat.py:8); it needs bool or uint32 there");
    refused<BufferRefused>([&] { g.reduce(Fold::sum, mask, one, {}, at); },
                           "node 'sum' reduces plane 'mask' (bool[16], host memory, heat.py:4) into plane 'one' "
                           "(float64[1], scratch, heat.py:8); it needs uint32 or int64 there");
    const auto bytes =
        g.scratch("bytes", std::array<std::int64_t, 1>{4}, {TypeCode::unsigned_integer, 8, 1, false}, {"heat.py", 9});
    refused<BufferRefused>(
        [&] { g.reduce(Fold::sum, bytes, one, {}, at); },
        "node 'sum' reduces plane 'bytes' (uint8[4], scratch, heat.py:9); it needs float64, float32, "
        "int64, int32, uint32 or bool");
}

TEST_F(Refusal, compactions_that_do_not_fit) {
    refused<BufferRefused>([&] { g.compact(x, map, cell, false, {}, at); },
                           "node 'compact' as its mask was given " + x_text + "; it needs bool there");
    refused<BufferRefused>([&] { g.compact(mask, y, cell, false, {}, at); },
                           "node 'compact' as its map was given " + y_text + "; it needs int32 there");
    const auto shorter = g.scratch("shorter", {8}, Dtype::int32, {"heat.py", 8});
    refused<LayoutError>([&] { g.compact(mask, shorter, cell, false, {}, at); },
                         "node 'compact' was given plane 'mask' (bool[16], host memory, heat.py:4) and plane 'shorter' "
                         "(int32[8], scratch, heat.py:8); it needs a mask and a map of one dimension and equal length");
    const std::int64_t many = std::int64_t{1} << 31;
    const auto long_mask = g.scratch("long mask", {many}, Dtype::boolean, {"heat.py", 9});
    const auto long_map = g.scratch("long map", {many}, Dtype::int32, {"heat.py", 10});
    refused<LayoutError>(
        [&] { g.compact(long_mask, long_map, cell, false, {}, at); },
        "node 'compact' was given plane 'long mask' (bool[2147483648], scratch, heat.py:9); it needs at "
        "most 2147483647 elements: split the batch");
}

TEST_F(Refusal, work_that_no_conditional_body_holds) {
    auto loop = g.repeat(3, "turn", {"heat.py", 10});
    refused<InvalidArgument>(
        [&] { g.host([] {}, {x}, {}, "print", at); },
        "node 'print' is a host function inside the body of node 'turn' (heat.py:10); a conditional "
        "body holds launches, copies, fills, reduces, compacts, child graphs and conditionals: "
        "record it before or after");
    refused<InvalidArgument>([&] { g.opaque([](std::uint64_t) {}, {x}, {}, "mine", at); },
                             "node 'mine' is opaque stream work inside the body of node 'turn' (heat.py:10); a "
                             "conditional body holds launches, copies, fills, reduces, compacts, child graphs and "
                             "conditionals: record it before or after");
    auto inner = std::make_shared<GraphDescription>("inner");
    inner->host([] {}, {inner->plane("x", handmade::view(a))}, {}, "print", {"heat.py", 12});
    refused<InvalidArgument>([&] { g.child(inner, {}, at); },
                             "node 'inner' is a child graph inside a conditional body, and holds the host node 'print' "
                             "(heat.py:12); such a body holds neither host functions nor opaque work: record the child "
                             "before or after");
}

TEST_F(Refusal, children_that_are_none) {
    refused<InvalidArgument>([&] { g.child(nullptr, {}, at); },
                             "node 'child' has no graph; it needs a finished description");
    auto inner = std::make_shared<GraphDescription>("inner", SourceLine{"heat.py", 30});
    const auto p = inner->plane("x", handmade::view(a));
    refused<InvalidArgument>([&] { g.child(inner, {}, at); },
                             "node 'inner': heat.py:30: graph 'inner' has no node; it needs 1 or more");
    {
        auto loop = inner->repeat(2, "turn", {"heat.py", 31});
        inner->fill(p, 1);
    }
    refused<InvalidArgument>(
        [&] { g.child(inner, {}, at); },
        "node 'inner' is a child graph with the conditional node 'turn' (heat.py:31); a child graph "
        "holds none: record that part in this graph");
    auto sound = std::make_shared<GraphDescription>("sound", SourceLine{"heat.py", 40});
    const auto q = sound->plane("x", handmade::view(a));
    sound->fill(q, 1);
    g.child(sound);
    EXPECT_EQ(
        refusal<InvalidArgument>([&] { sound->fill(q, 1, {}, at); }),
        "heat.py:20: graph 'sound' (heat.py:40) is the child of another graph and takes no more nodes; record all "
        "of it before it becomes a child");
    auto self = std::make_shared<GraphDescription>("self");
    EXPECT_EQ(refusal<InvalidArgument>([&] { self->child(self, {}, at); }),
              "heat.py:20: node 'self' has its own graph as its child; it needs another one");
}

TEST_F(Refusal, graphs_inside_more_graphs_than_the_stack_has_room_for) {
    auto innermost = std::make_shared<GraphDescription>("g");
    innermost->fill(innermost->plane("x", handmade::view(a)), 1);
    std::shared_ptr<const GraphDescription> last = innermost;
    for (int depth = 1; depth <= 512; ++depth) {
        auto next = std::make_shared<GraphDescription>("g");
        next->child(last);
        last = next;
    }
    refused<InvalidArgument>([&] { g.child(last, {}, at); },
                             "node 'g' has a child with 512 graphs in each other; graphs nest at most 512 deep: record "
                             "the children one after the other in one graph");
    for (const graph::Plane& plane : last->planes()) EXPECT_LT(plane.name.size(), 110u) << plane.name;
    EXPECT_EQ(last->nodes().front().accesses.front().as, "x");
}

TEST_F(Refusal, bodies_inside_more_bodies_than_the_stack_has_room_for) {
    std::vector<Scope> bodies;
    for (std::uint32_t depth = 0; depth < 256; ++depth) {
        bodies.push_back(g.if_(cell, {}, at).then(at));
    }
    const std::string words =
        " stands inside 256 bodies; bodies nest at most 256 deep: record what is inside as a loop or in one body";
    refused<InvalidArgument>([&] { g.if_(cell, {}, at); }, "node 'if 257'" + words);
    refused<InvalidArgument>([&] { g.repeat(2, {}, at); }, "node 'repeat'" + words);
    refused<InvalidArgument>([&] { g.while_(cell, {.cap = 2}, at); }, "node 'while'" + words);
    refused<InvalidArgument>([&] { g.switch_(cell, 2, {}, at); }, "node 'switch'" + words);
    g.fill(x, 7.0, {}, at);
    while (!bodies.empty()) bodies.pop_back();
    g.check_complete();
}

TEST_F(Refusal, loops_and_switches_out_of_range) {
    EXPECT_NE(refusal<InvalidArgument>([&] {
                  g.while_(cell, {.stop = cell}, at);
              }).find("as its stop and its guard, and a stop is 0 before the first iteration; it needs another cell"),
              std::string::npos);
    refused<InvalidArgument>([&] { g.while_(cell, {.cap = 0}, at); },
                             "node 'while' has a cap of 0 iterations; it needs 1 or more, or none: leave the loop out");
    refused<InvalidArgument>(
        [&] { g.repeat(0, {}, at); },
        "node 'repeat' has a cap of 0 iterations; it needs 1 or more, or none: leave the loop out");
    WhileOptions negated;
    negated.cap = 2;
    negated.negate = true;
    refused<InvalidArgument>([&] { g.repeat(negated, at); },
                             "node 'repeat' has a baseline or is negated, and has no guard; they belong to while_(): "
                             "leave them out");
    refused<InvalidArgument>([&] { g.switch_(cell, 0, {}, at); }, "node 'switch' has 0 arms; it needs 1 to 1024");
    refused<InvalidArgument>([&] { g.switch_(cell, 1025, {}, at); }, "node 'switch' has 1025 arms; it needs 1 to 1024");
    auto node = g.switch_(cell, 2, "which", {"heat.py", 9});
    refused<IndexError>([&] { node.arm(2, at); },
                        "arm 2 of node 'which' (heat.py:9), which has 2; it needs a number from 0 to 1");
    {
        auto arm = node.arm(0, {"heat.py", 10});
        g.fill(x, 1);
    }
    refused<InvalidArgument>([&] { node.arm(0, at); },
                             "the arm 0 of node 'which' (heat.py:9) was recorded before (heat.py:10); record it once");
    g.fill(y, 1, "later", {"heat.py", 11});
    refused<InvalidArgument>([&] { node.arm(1, at); },
                             "the arm 1 of node 'which' (heat.py:9) is opened after node 'later' (heat.py:11) was "
                             "recorded; open all its bodies before the next node");
}

TEST_F(Refusal, bodies_and_branches_out_of_place) {
    auto branch = g.if_(cell, {.name = "check"}, {"heat.py", 9});
    auto fork = g.fork("sides", {"heat.py", 10});
    {
        auto loop = g.repeat(2, "turn", {"heat.py", 11});
        g.fill(x, 1);
        refused<InvalidArgument>([&] { branch.then(at); },
                                 "the then of node 'check' (heat.py:9) is opened inside the body of node 'turn' "
                                 "(heat.py:11); open it where the node was recorded");
        refused<InvalidArgument>([&] { fork.branch("left", at); },
                                 "branch 'left' of fork 'sides' (heat.py:10) is opened inside the body of node 'turn' "
                                 "(heat.py:11); open it where the fork was made, after the branch before it ended");
    }
    refused<InvalidArgument>([&] { fork.branch("left", at); },
                             "branch 'left' of fork 'sides' (heat.py:10) is opened after node 'fill' (" +
                                 g.nodes().back().where.text() +
                                 ") was recorded outside; open all branches one after the other");
}

TEST_F(Refusal, scopes_that_cross) {
    auto outer = std::make_unique<LoopScope>(g.repeat(2, "outer", {"heat.py", 9}));
    auto inner = g.repeat(2, "inner", {"heat.py", 10});
    g.fill(x, 1);
    outer.reset();
    refused<InvalidArgument>([&] { g.fill(x, 1, {}, at); },
                             "the body of node 'outer' (heat.py:9) (heat.py:9) ended while the body of node 'inner' "
                             "(heat.py:10) (heat.py:10) inside it was open; end the inner one first");
}

}  // namespace
