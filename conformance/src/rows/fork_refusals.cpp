// What a fork is made of and answers, calls out of order, and branches that do not come back.
#include <set>

#include "Graphs.h"

using namespace eagle::conformance;

namespace {

using Desc = struct eagle_backend_fork_desc;

Desc good(Context& c, const StreamHandle& stream) {
    auto desc = make<Desc>();
    desc.device = c.device;
    desc.origin = stream.raw();
    desc.branch_count = 2;
    return desc;
}

// The capture ends with an error that names the branch, and gives nothing.
void end_names(Context& c, const Recording& recording, const std::string& name) {
    Captured none(c);
    const eagle_backend_status found = c.seam.capturer_end(recording.handle(), none.out());
    const std::string words = c.seam.last_error();
    ROW_EXPECT(c, found != EAGLE_BACKEND_OK);
    ROW_EXPECT(c, none.get() == nullptr);
    if (words.find(name) == std::string::npos) {
        c.fail(__FILE__, __LINE__, "the end of the capture says '" + words + "'; it must name " + name);
    }
}

}  // namespace

EAGLE_ROW("fork-desc-is-checked", .covers = {Symbol::fork_create}, .needs = {Symbol::stream_create}) {
    StreamHandle stream(c);
    Fork out(c);
    ROW_STATUS(c, c.seam.fork_create(nullptr, out.out()), EAGLE_BACKEND_INVALID_ARGUMENT);
    Desc desc = good(c, stream);
    desc.struct_size = 11;
    desc.flags = 0x40;
    ROW_STATUS(c, c.seam.fork_create(&desc, out.out()), EAGLE_BACKEND_INVALID_ARGUMENT);
    desc = good(c, stream);
    desc.flags = 0x40;
    ROW_SAYS(c, c.seam.fork_create(&desc, nullptr), EAGLE_BACKEND_UNSUPPORTED, "0x40");
    desc = good(c, stream);
    ROW_STATUS(c, c.seam.fork_create(&desc, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    desc.device = -2;
    ROW_STATUS(c, c.seam.fork_create(&desc, out.out()), EAGLE_BACKEND_INVALID_ARGUMENT);
    desc = good(c, stream);
    desc.branch_count = 0;
    ROW_STATUS(c, c.seam.fork_create(&desc, out.out()), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_EXPECT(c, out.get() == nullptr);
}

EAGLE_ROW("fork-of-more-than-there-can-be", .covers = {Symbol::fork_create}, .needs = {Symbol::stream_create}) {
    StreamHandle stream(c);
    Fork out(c);
    for (const std::uint64_t many : {std::uint64_t{1} << 32, ~std::uint64_t(0)}) {
        Desc desc = good(c, stream);
        desc.branch_count = many;
        ROW_REFUSED(c, c.seam.fork_create(&desc, out.out()));
        desc = good(c, stream);
        desc.waits = many;
        ROW_REFUSED(c, c.seam.fork_create(&desc, out.out()));
    }
    ROW_EXPECT(c, out.get() == nullptr);
}

EAGLE_ROW("fork-desc-of-other-sizes", .covers = {Symbol::fork_create}, .needs = {Symbol::stream_create}) {
    StreamHandle stream(c);
    Larger<Desc> larger;
    larger.desc.device = -1;
    larger.desc.origin = stream.raw();
    larger.desc.branch_count = 3;
    Fork out(c);
    ROW_OK(c, c.seam.fork_create(&larger.desc, out.out()));
    std::uint64_t size = 0;
    ROW_OK(c, c.seam.fork_size(out.get(), &size));
    ROW_EQ(c, size, 3u);
}

EAGLE_ROW("fork-desc-without-waits-makes-no-marks", .covers = {Symbol::fork_create, Symbol::fork_mark},
          .needs = {Symbol::stream_create}) {
    StreamHandle stream(c);
    Desc desc = good(c, stream);
    desc.struct_size = 32;
    desc.waits = 5;  // past what the size names
    Fork out(c);
    ROW_OK(c, c.seam.fork_create(&desc, out.out()));
    Recording recording(c, stream.raw());
    fork(c, out);
    std::uint64_t mark = 0;
    ROW_REFUSED(c, c.seam.fork_mark(out.get(), 0, &mark));
    join(c, out);
    const Captured captured = recording.end();
}

EAGLE_ROW("fork-answers", .covers = {Symbol::fork_branch, Symbol::fork_origin, Symbol::fork_size, Symbol::fork_forked},
          .needs = {Symbol::stream_create}) {
    StreamHandle stream(c);
    const Fork three = make_fork(c, stream.raw(), 3);
    std::uint64_t number = 0;
    ROW_OK(c, c.seam.fork_size(three.get(), &number));
    ROW_EQ(c, number, 3u);
    ROW_OK(c, c.seam.fork_origin(three.get(), &number));
    ROW_EQ(c, number, stream.raw());
    const std::set<std::uint64_t> streams{stream.raw(), branch(c, three, 0), branch(c, three, 1), branch(c, three, 2)};
    ROW_EQ(c, streams.size(), 4u);
    ROW_STATUS(c, c.seam.fork_branch(three.get(), 3, &number), EAGLE_BACKEND_INDEX);
    ROW_STATUS(c, c.seam.fork_branch(three.get(), ~std::uint64_t(0), &number), EAGLE_BACKEND_INDEX);
    ROW_STATUS(c, c.seam.fork_branch(three.get(), 0, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.fork_origin(three.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.fork_size(three.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.fork_forked(three.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
}

EAGLE_ROW("fork-forked-between-fork-and-join", .covers = {Symbol::fork_forked}, .needs = {Symbol::stream_create}) {
    StreamHandle stream(c);
    const Fork two = make_fork(c, stream.raw(), 2);
    auto is_forked = [&] {
        std::int32_t forked = -1;
        ROW_OK(c, c.seam.fork_forked(two.get(), &forked));
        return forked;
    };
    ROW_EQ(c, is_forked(), 0);
    Recording recording(c, stream.raw());
    ROW_EQ(c, is_forked(), 0);
    fork(c, two);
    ROW_EQ(c, is_forked(), 1);
    join(c, two);
    ROW_EQ(c, is_forked(), 0);
    fork(c, two);
    ROW_EQ(c, is_forked(), 1);
    join(c, two);
    const Captured captured = recording.end();
    ROW_EQ(c, is_forked(), 0);
}

EAGLE_ROW("fork-calls-out-of-order-are-refused", .covers = {Symbol::fork_fork, Symbol::fork_join},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    const Fork two = make_fork(c, stream.raw(), 2);
    ROW_REFUSED(c, c.seam.fork_fork(two.get()));  // the origin is in no capture
    ROW_REFUSED(c, c.seam.fork_join(two.get()));
    Recording recording(c, stream.raw());
    ROW_REFUSED(c, c.seam.fork_join(two.get()));
    fork(c, two);
    twice_and(c, branch(c, two, 0), 1, y);
    ROW_REFUSED(c, c.seam.fork_fork(two.get()));
    join(c, two);
    ROW_REFUSED(c, c.seam.fork_join(two.get()));
    twice_and(c, stream.raw(), 2, y);
    replay(c, launcher_of(c, as_it_is(c, recording.end()), stream.raw()));  // the refusals have not spoilt it
    ROW_EQ(c, y.at(0), after(0, {1, 2}));
}

EAGLE_ROW("fork-marks-are-checked", .covers = {Symbol::fork_mark, Symbol::fork_wait}, .needs = {Symbol::fork_create},
          .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    const Fork two = make_fork(c, stream.raw(), 2, 2);
    std::uint64_t mark = 77;
    ROW_REFUSED(c, c.seam.fork_mark(two.get(), 0, &mark));  // not forked
    ROW_REFUSED(c, c.seam.fork_wait(two.get(), 0, 0));
    Recording recording(c, stream.raw());
    fork(c, two);
    twice_and(c, branch(c, two, 0), 1, y);
    ROW_STATUS(c, c.seam.fork_wait(two.get(), 1, 0), EAGLE_BACKEND_INDEX);  // no mark was made
    ROW_STATUS(c, c.seam.fork_mark(two.get(), 2, &mark), EAGLE_BACKEND_INDEX);
    ROW_STATUS(c, c.seam.fork_mark(two.get(), 0, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    for (std::uint64_t i = 0; i < 2; ++i) {
        ROW_OK(c, c.seam.fork_mark(two.get(), i, &mark));
        ROW_EQ(c, mark, i);
    }
    ROW_REFUSED(c, c.seam.fork_mark(two.get(), 0, &mark));  // made for two
    ROW_STATUS(c, c.seam.fork_wait(two.get(), 2, 0), EAGLE_BACKEND_INDEX);
    ROW_STATUS(c, c.seam.fork_wait(two.get(), 1, 2), EAGLE_BACKEND_INDEX);
    ROW_OK(c, c.seam.fork_wait(two.get(), 1, 0));
    join(c, two);
    const Captured captured = recording.end();
}

EAGLE_ROW("fork-unjoined-branch-is-named", .covers = {Symbol::fork_join, Symbol::capturer_end}, .memory = true,
          .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    const Fork three = make_fork(c, stream.raw(), 3);
    {
        const Recording recording(c, stream.raw());
        fork(c, three);
        twice_and(c, branch(c, three, 1), 1, y);
        end_names(c, recording, "branch 1");
    }
    {
        const Recording recording(c, stream.raw());
        fork(c, three);
        join(c, three);
        twice_and(c, branch(c, three, 2), 1, y);  // behind the join
        end_names(c, recording, "branch 2");
    }
    stream.synchronize();
    ROW_EQ(c, y.at(0), 0);
    std::int32_t forked = -1;
    ROW_OK(c, c.seam.fork_forked(three.get(), &forked));
    ROW_EQ(c, forked, 0);
}

EAGLE_ROW("fork-released-while-open-fails-the-end", .covers = {Symbol::fork_release}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    Fork two = make_fork(c, stream.raw(), 2);
    const Recording recording(c, stream.raw());
    fork(c, two);
    twice_and(c, branch(c, two, 1), 1, y);
    two.reset();
    Captured none(c);
    ROW_REFUSED(c, c.seam.capturer_end(recording.handle(), none.out()));
    ROW_EXPECT(c, none.get() == nullptr);
}

EAGLE_ROW("fork-null-handle",
          .covers = {Symbol::fork_fork, Symbol::fork_join, Symbol::fork_branch, Symbol::fork_origin,
                     Symbol::fork_forked, Symbol::fork_size, Symbol::fork_release},
          .devices = 0) {
    std::uint64_t n = 0;
    std::int32_t forked = 0;
    ROW_STATUS(c, c.seam.fork_fork(nullptr), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.fork_join(nullptr), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.fork_branch(nullptr, 0, &n), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.fork_origin(nullptr, &n), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.fork_forked(nullptr, &forked), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.fork_size(nullptr, nullptr), EAGLE_BACKEND_BAD_HANDLE);
    c.seam.fork_release(nullptr);
}

EAGLE_ROW("fork-marks-of-a-null-handle", .covers = {Symbol::fork_mark, Symbol::fork_wait}, .devices = 0) {
    std::uint64_t mark = 0;
    ROW_STATUS(c, c.seam.fork_mark(nullptr, 0, &mark), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.fork_wait(nullptr, 0, 0), EAGLE_BACKEND_BAD_HANDLE);
}

EAGLE_ROW("fork-stale-handle", .covers = {Symbol::fork_fork, Symbol::fork_size, Symbol::fork_release},
          .needs = {Symbol::stream_create}) {
    StreamHandle stream(c);
    Fork two = make_fork(c, stream.raw(), 2);
    eagle_backend_fork stale = two.get();
    two.reset();
    std::uint64_t n = 0;
    ROW_STATUS(c, c.seam.fork_fork(stale), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.fork_size(stale, &n), EAGLE_BACKEND_BAD_HANDLE);
    c.seam.fork_release(stale);
    ROW_STATUS(c, c.seam.fork_size(reinterpret_cast<eagle_backend_fork>(stream.get()), &n), EAGLE_BACKEND_BAD_HANDLE);
    ROW_STATUS(c, c.seam.fork_size(reinterpret_cast<eagle_backend_fork>(made_up), &n), EAGLE_BACKEND_BAD_HANDLE);
    stream.synchronize();
}
