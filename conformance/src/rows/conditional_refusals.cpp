// What a conditional is made of, what its body may not hold, and what a refusal leaves as it was.
#include <functional>

#include "Conditionals.h"

using namespace eagle::conformance;

namespace {

using Desc = struct eagle_backend_conditional_desc;
constexpr auto invalid = EAGLE_BACKEND_INVALID_ARGUMENT;

struct Made {
    Context& c;
    StreamHandle stream;
    Cells cells;
    explicit Made(Context& row) : c(row), stream(row), cells(row, std::vector<std::uint32_t>(8, 0)) {}
    Desc loop() const {
        Desc desc = desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_DERIVED, cells);
        desc.counter_ptr = cells.address_of(1);
        desc.loop_cap = 1;
        return desc;
    }
    void gives(eagle_backend_status wanted, const char* what, const std::function<void(Desc&)>& change) const {
        Desc desc = loop();
        change(desc);
        Conditional out(c);
        const eagle_backend_status found = c.seam.conditional_create(&desc, out.out());
        c.status(__FILE__, __LINE__, what, found, wanted);
    }
};

}  // namespace

EAGLE_ROW("conditional-desc-is-checked", .covers = {Symbol::conditional_create}, .memory = true) {
    const Made m(c);
    Conditional out(c);
    ROW_STATUS(c, c.seam.conditional_create(nullptr, out.out()), invalid);
    Desc desc = m.loop();
    ROW_STATUS(c, c.seam.conditional_create(&desc, nullptr), invalid);
    desc.flags = 0x40;
    ROW_SAYS(c, c.seam.conditional_create(&desc, nullptr), EAGLE_BACKEND_UNSUPPORTED, "0x40");
    m.gives(invalid, "struct_size 11 with an unknown flag", [](Desc& d) { d.struct_size = 11, d.flags = 0x40; });
    m.gives(EAGLE_BACKEND_UNSUPPORTED, "an unknown flag", [](Desc& d) { d.flags = 0x40; });
    m.gives(invalid, "device -2", [](Desc& d) { d.device = -2; });
    m.gives(invalid, "a loop_cap of 0", [](Desc& d) { d.loop_cap = 0; });
    m.gives(invalid, "no count", [](Desc& d) { d.count_ptr = 0; });
    ROW_EXPECT(c, out.get() == nullptr);
}

EAGLE_ROW("conditional-desc-of-minor-5-is-checked", .covers = {Symbol::conditional_create},
          .needs = {Symbol::conditional_arm_stream}, .memory = true) {
    const Made m(c);
    m.gives(EAGLE_BACKEND_UNSUPPORTED, "kind 5", [](Desc& d) { d.kind = 5; });
    m.gives(invalid, "a while without a counter",
            [](Desc& d) { d.kind = EAGLE_BACKEND_CONDITIONAL_KIND_WHILE, d.counter_ptr = 0; });
    m.gives(invalid, "reserved 1", [](Desc& d) { d.reserved = 1; });
}

EAGLE_ROW("conditional-switch-without-arms-is-refused", .covers = {Symbol::conditional_create},
          .needs = {Symbol::conditional_arm_stream}, .bits = EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH, .memory = true) {
    const Made m(c);
    m.gives(invalid, "a switch of no arms",
            [](Desc& d) { d.kind = EAGLE_BACKEND_CONDITIONAL_KIND_SWITCH, d.counter_ptr = 0; });
}

EAGLE_ROW("conditional-options-follow-their-bits", .covers = {Symbol::conditional_create},
          .needs = {Symbol::conditional_arm_stream}, .memory = true) {
    const Made m(c);
    auto status = [&](std::uint64_t bit) {
        return c.facts.capabilities & bit ? EAGLE_BACKEND_OK : EAGLE_BACKEND_UNSUPPORTED;
    };
    m.gives(status(EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE), "an if_else with or without bit 13",
            [](Desc& d) { d.kind = EAGLE_BACKEND_CONDITIONAL_KIND_IF_ELSE, d.counter_ptr = 0, d.loop_cap = 0; });
    m.gives(status(EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH), "a switch with or without bit 14", [](Desc& d) {
        d.kind = EAGLE_BACKEND_CONDITIONAL_KIND_SWITCH, d.arms = 2, d.counter_ptr = 0, d.loop_cap = 0;
    });
}

EAGLE_ROW("conditional-desc-of-other-sizes", .covers = {Symbol::conditional_create, Symbol::conditional_is_loop},
          .memory = true) {
    const Made m(c);
    Larger<Desc> larger;
    const std::uint32_t size = larger.desc.struct_size;
    larger.desc = m.loop();
    larger.desc.struct_size = size;
    Conditional out(c);
    ROW_OK(c, c.seam.conditional_create(&larger.desc, out.out()));
    std::int32_t is_loop = -1;
    ROW_OK(c, c.seam.conditional_is_loop(out.get(), &is_loop));
    ROW_EQ(c, is_loop, 1);
}

EAGLE_ROW("conditional-answers", .covers = {Symbol::conditional_is_loop, Symbol::conditional_body_stream},
          .memory = true) {
    const Made m(c);
    const Conditional loop = make_conditional(c, m.loop());
    const Conditional guarded =
        make_conditional(c, desc_of(m.stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, m.cells));
    std::int32_t is_loop = -1;
    ROW_OK(c, c.seam.conditional_is_loop(loop.get(), &is_loop));
    ROW_EQ(c, is_loop, 1);
    ROW_OK(c, c.seam.conditional_is_loop(guarded.get(), &is_loop));
    ROW_EQ(c, is_loop, 0);
    std::uint64_t first = 0, second = 0;
    ROW_OK(c, c.seam.conditional_body_stream(loop.get(), &first));  // before begin
    ROW_OK(c, c.seam.conditional_body_stream(guarded.get(), &second));
    ROW_EXPECT(c, first != second && first != m.stream.raw() && second != m.stream.raw());
    ROW_STATUS(c, c.seam.conditional_is_loop(loop.get(), nullptr), invalid);
    ROW_STATUS(c, c.seam.conditional_body_stream(loop.get(), nullptr), invalid);
    ROW_STATUS(c, c.seam.conditional_begin(loop.get(), nullptr), invalid);
}

EAGLE_ROW("conditional-arms-have-streams", .covers = {Symbol::conditional_arm_stream},
          .needs = {Symbol::conditional_create}, .memory = true) {
    const Made m(c);
    const Conditional loop = make_conditional(c, m.loop());
    std::uint64_t body = 0, stream = 1;
    ROW_OK(c, c.seam.conditional_body_stream(loop.get(), &body));
    ROW_OK(c, c.seam.conditional_arm_stream(loop.get(), 0, &stream));
    ROW_EQ(c, stream, body);
    ROW_STATUS(c, c.seam.conditional_arm_stream(loop.get(), 1, &stream), EAGLE_BACKEND_INDEX);
    ROW_STATUS(c, c.seam.conditional_arm_stream(loop.get(), 0, nullptr), invalid);
    ROW_STATUS(c, c.seam.conditional_arm_stream(nullptr, 0, &stream), EAGLE_BACKEND_BAD_HANDLE);
}

EAGLE_ROW("conditional-empty-body-is-refused", .covers = {Symbol::conditional_end},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{1});
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    Recording recording(c, stream.raw());
    const std::uint64_t body = begin(c, guarded);
    ROW_STATUS(c, c.seam.conditional_end(guarded.get()), invalid);
    twice_and(c, body, 1, y);  // it is still open
    end(c, guarded);
    ROW_REFUSED(c, c.seam.conditional_end(guarded.get()));
    replay(c, launcher_of(c, as_it_is(c, recording.end()), stream.raw()));
    ROW_EQ(c, y.at(0), 1);
}

EAGLE_ROW("conditional-calls-out-of-order-are-refused",
          .covers = {Symbol::conditional_begin, Symbol::conditional_end, Symbol::capturer_end}, .memory = true,
          .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{1});
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    std::uint64_t body = 0;
    ROW_REFUSED(c, c.seam.conditional_begin(guarded.get(), &body));  // no capture
    ROW_REFUSED(c, c.seam.conditional_end(guarded.get()));
    Recording recording(c, stream.raw());
    ROW_REFUSED(c, c.seam.conditional_end(guarded.get()));
    twice_and(c, begin(c, guarded), 1, y);
    ROW_REFUSED(c, c.seam.conditional_begin(guarded.get(), &body));
    Captured none(c);
    ROW_REFUSED(c, c.seam.capturer_end(recording.handle(), none.out()));  // the body is open
    ROW_EXPECT(c, none.get() == nullptr);
}

EAGLE_ROW("conditional-body-refuses-host-functions", .covers = {Symbol::conditional_begin, Symbol::host_func},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{1});
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    Recording recording(c, stream.raw());
    const std::uint64_t body = begin(c, guarded);
    twice_and(c, body, 1, y);
    ROW_SAYS(c, c.seam.host_func(body, [](void*) {}, nullptr), EAGLE_BACKEND_UNSUPPORTED, "host function");
    twice_and(c, body, 2, y);
    end(c, guarded);
    replay(c, launcher_of(c, as_it_is(c, recording.end()), stream.raw()));
    ROW_EQ(c, y.at(0), after(0, {1, 2}));
}

EAGLE_ROW("conditional-body-refuses-allocations", .covers = {Symbol::conditional_begin, Symbol::sdk_device_alloc},
          .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{1});
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    Recording recording(c, stream.raw());
    const std::uint64_t body = begin(c, guarded);
    std::uint64_t address = 77;
    const eagle_backend_status found = c.seam.sdk_device_alloc(c.device, 64, body, &address);
    const std::string words = c.seam.last_error();
    ROW_EXPECT(c, found != EAGLE_BACKEND_OK);
    ROW_EXPECT(c, words.find("alloc") != std::string::npos);
    ROW_EQ(c, address, 0u);
    twice_and(c, body, 1, y);
    end(c, guarded);
    const Captured captured = recording.end();
}

EAGLE_ROW("conditional-body-refuses-fences", .covers = {Symbol::conditional_begin, Symbol::fence}, .memory = true,
          .kernels = true) {
    StreamHandle stream(c), other(c);
    Plane y(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{1});
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    Recording recording(c, stream.raw());
    const std::uint64_t body = begin(c, guarded);
    twice_and(c, body, 1, y);
    const std::int32_t type = c.facts.device_types.at(0);
    ROW_EXPECT(c, c.seam.fence(type, c.device, std::int64_t(other.raw()), std::int64_t(body)) != EAGLE_BACKEND_OK);
    ROW_EXPECT(c, std::string(c.seam.last_error()).find("fence") != std::string::npos);
    twice_and(c, body, 2, y);
    end(c, guarded);
    const Captured captured = recording.end();
}

EAGLE_ROW("conditional-body-with-an-open-fork-is-refused", .covers = {Symbol::conditional_end, Symbol::fork_join},
          .needs = {Symbol::fork_create, Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true,
          .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Cells cells(c, std::vector<std::uint32_t>{1});
    const Conditional guarded = make_conditional(c, desc_of(stream.raw(), EAGLE_BACKEND_CONDITIONAL_KIND_IF, cells));
    std::uint64_t body = 0;
    ROW_OK(c, c.seam.conditional_body_stream(guarded.get(), &body));
    const Fork two = make_fork(c, body, 2);
    Recording recording(c, stream.raw());
    begin(c, guarded);
    twice_and(c, body, 1, y);
    fork(c, two);
    twice_and(c, branch(c, two, 1), 2, y);
    ROW_REFUSED(c, c.seam.conditional_end(guarded.get()));
    join(c, two);
    end(c, guarded);
    replay(c, launcher_of(c, as_it_is(c, recording.end()), stream.raw()));
    ROW_EQ(c, y.at(0), after(0, {1, 2}));
}

EAGLE_ROW("conditional-null-and-stale-handles",
          .covers = {Symbol::conditional_begin, Symbol::conditional_end, Symbol::conditional_is_loop,
                     Symbol::conditional_body_stream, Symbol::conditional_release},
          .memory = true) {
    const Made m(c);
    Conditional loop = make_conditional(c, m.loop());
    eagle_backend_conditional stale = loop.get();
    loop.reset();
    auto foreign = reinterpret_cast<eagle_backend_conditional>(m.stream.get());
    auto invented = reinterpret_cast<eagle_backend_conditional>(made_up);
    std::uint64_t stream = 0;
    std::int32_t is_loop = 0;
    for (eagle_backend_conditional dead : {eagle_backend_conditional{}, stale, foreign, invented}) {
        ROW_STATUS(c, c.seam.conditional_begin(dead, &stream), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.conditional_end(dead), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.conditional_is_loop(dead, &is_loop), EAGLE_BACKEND_BAD_HANDLE);
        ROW_STATUS(c, c.seam.conditional_body_stream(dead, &stream), EAGLE_BACKEND_BAD_HANDLE);
    }
    c.seam.conditional_release(nullptr);
    c.seam.conditional_release(stale);
}
