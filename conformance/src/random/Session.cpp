#include "Session.h"

#include <algorithm>

namespace eagle::conformance::random {
namespace {

std::size_t words_of(const Program& program) { return std::size_t(program.planes) * program.words; }

std::uint32_t kind_of(Do what) {
    switch (what) {
        case Do::two_arms:
            return EAGLE_BACKEND_CONDITIONAL_KIND_IF_ELSE;
        case Do::loop:
            return EAGLE_BACKEND_CONDITIONAL_KIND_WHILE;
        case Do::one_of_many:
            return EAGLE_BACKEND_CONDITIONAL_KIND_SWITCH;
        default:
            return EAGLE_BACKEND_CONDITIONAL_KIND_IF;
    }
}

std::uint64_t marks_in(const Statement& fork) {
    std::uint64_t marks = 0;
    for (const Block& branch : fork.blocks) {
        marks += static_cast<std::uint64_t>(
            std::count_if(branch.begin(), branch.end(), [](const Statement& s) { return s.what == Do::mark; }));
    }
    return marks;
}

}  // namespace

void Session::HostWork::run(void* ctx) {
    const HostWork& work = *static_cast<const HostWork*>(ctx);
    auto* words = reinterpret_cast<std::uint64_t*>(work.address);
    for (std::uint64_t i = 0; i < work.words; ++i) words[i] = 7 * words[i] + work.k;
}

Session::Session(Context& c, const Program& program, Way way)
    : c_(c),
      program_(program),
      way_(way),
      stream_(c),
      planes_(c, words_of(program)),
      cells_(c, std::max<std::size_t>(1, std::size_t(program.conditionals) * CellsOf::each)),
      made_(prepare(program.block, stream_.raw())) {}

// Branches that a backend has not joined may still be at work on memory that goes.
Session::~Session() {
    for (const Made* fork : eager_forks_) {
        for (const StreamHandle& stream : fork->own) c_.seam.stream_synchronize(stream.get());
    }
    c_.seam.stream_synchronize(stream_.get());
    for (const auto& work : host_work_) c_.seam.host_free(work->address);
}

void Session::put_state(const State& state) {
    std::vector<std::uint64_t> all;
    for (const auto& words : state.planes) all.insert(all.end(), words.begin(), words.end());
    planes_.upload(all);
    auto cells = state.cells;
    cells.resize(cells_.size());
    cells_.upload(cells);
}

State Session::state() {
    State state;
    const auto all = planes_.download();
    for (std::size_t p = 0; p < program_.planes; ++p) {
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(p * program_.words);
        state.planes.emplace_back(first, first + program_.words);
    }
    state.cells = cells_.download();
    state.cells.resize(std::size_t(program_.conditionals) * CellsOf::each);
    return state;
}

// Forks and conditionals make streams, so all of them come before the capture begins.
std::vector<Session::Made> Session::prepare(const Block& block, std::uint64_t stream) {
    std::vector<Made> all;
    for (const Statement& s : block) {
        Made& made = all.emplace_back(c_);
        if (s.blocks.empty()) continue;
        if (s.what == Do::fork) {
            prepare_fork(s, stream, made);
        } else {
            prepare_conditional(s, stream, made);
        }
        for (std::size_t i = 0; i < s.blocks.size(); ++i) made.inner.push_back(prepare(s.blocks[i], made.into[i]));
    }
    return all;
}

void Session::prepare_fork(const Statement& s, std::uint64_t stream, Made& made) {
    if (way_ == Way::eager) {
        for (std::size_t i = 0; i < s.blocks.size(); ++i) made.into.push_back(made.own.emplace_back(c_).raw());
        return;
    }
    made.fork = make_fork(c_, stream, s.blocks.size(), marks_in(s));
    for (std::uint64_t i = 0; i < s.blocks.size(); ++i) made.into.push_back(branch(c_, made.fork, i));
}

void Session::prepare_conditional(const Statement& s, std::uint64_t stream, Made& made) {
    auto desc = make<struct eagle_backend_conditional_desc>();
    auto at = [&](std::uint32_t which) { return reinterpret_cast<std::uint64_t>(cell(s, which)); };
    const Decision& d = s.decision;
    desc.device = c_.device;
    desc.origin = stream;
    desc.kind = kind_of(s.what);
    desc.count_ptr = at(CellsOf::count);
    desc.negate = d.is_negated;
    if (s.what == Do::one_of_many) desc.arms = static_cast<std::uint32_t>(s.blocks.size());
    if (d.has_baseline) desc.baseline_ptr = at(CellsOf::baseline);
    if (s.what == Do::loop) {
        desc.loop_cap = d.cap;
        desc.counter_ptr = at(CellsOf::remaining);
        if (d.has_break) desc.brk_ptr = at(CellsOf::brk);
        if (d.has_limit) desc.limit_ptr = at(CellsOf::limit);
    }
    made.conditional = make_conditional(c_, desc);
    std::uint64_t body = 0;
    ROW_OK(c_, c_.seam.conditional_body_stream(made.conditional.get(), &body));
    made.into.push_back(body);
    for (std::uint64_t i = 1; i < s.blocks.size(); ++i) made.into.push_back(arm(c_, made.conditional, i));
}

void Session::put(const Program& constants, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
        const Statement& s = constants.block[i];
        if (s.what == Do::fork) {
            put_fork(s, made_[i], stream_.raw());
        } else if (is_conditional(s.what)) {
            put_conditional(s, made_[i], stream_.raw());
        } else {
            put_simple(s, stream_.raw());
        }
    }
}

Captured Session::record(const Program& constants, std::size_t from, std::size_t to) {
    Recording recording(c_, stream_.raw());
    put(constants, from, to);
    return recording.end();
}

void Session::put(const Block& block, const std::vector<Made>& made, std::uint64_t stream, const Made* fork_around) {
    for (std::size_t i = 0; i < block.size(); ++i) {
        const Statement& s = block[i];
        if (s.what == Do::fork) {
            put_fork(s, made[i], stream);
        } else if (is_conditional(s.what)) {
            put_conditional(s, made[i], stream);
        } else if (s.what == Do::mark || s.what == Do::wait) {
            put_order(s, stream, *fork_around);
        } else {
            put_simple(s, stream);
        }
    }
}

void Session::put_simple(const Statement& s, std::uint64_t stream) {
    switch (s.what) {
        case Do::mix:
            Launch(c_, "conformance_mix")
                .with(s.k)
                .with(plane(s.from))
                .with(plane(s.to))
                .over(program_.words)
                .on(stream)
                .run();
            return;
        case Do::note:
            Launch(c_, "conformance_mix_cell")
                .with(cell(s, CellsOf::ran))
                .with(plane(s.to))
                .over(program_.words)
                .on(stream)
                .run();
            return;
        case Do::copy:
            return copy(reinterpret_cast<std::uint64_t>(plane(s.to)), reinterpret_cast<std::uint64_t>(plane(s.from)),
                        EAGLE_BACKEND_MEMCPY_DEVICE_TO_DEVICE, stream);
        case Do::fill:
            ROW_OK(c_, c_.seam.memset_device(reinterpret_cast<std::uint64_t>(plane(s.to)), 8 * s.k, stream));
            return;
        default:
            return put_host(s, stream);
    }
}

void Session::copy(std::uint64_t to, std::uint64_t from, std::int32_t kind, std::uint64_t stream) {
    ROW_OK(c_, c_.seam.memcpy(to, from, std::uint64_t(8) * program_.words, kind, stream));
}

void Session::put_host(const Statement& s, std::uint64_t stream) {
    HostWork& work = *host_work_.emplace_back(std::make_unique<HostWork>());
    work.words = program_.words;
    work.k = s.k;
    ROW_OK(c_, c_.seam.host_alloc(8 * work.words, &work.address));
    const auto at = reinterpret_cast<std::uint64_t>(plane(s.to));
    copy(work.address, at, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, stream);
    ROW_OK(c_, c_.seam.host_func(stream, &HostWork::run, &work));
    copy(at, work.address, EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE, stream);
}

void Session::fence(std::uint64_t producer, std::uint64_t consumer) {
    ROW_OK(c_, c_.seam.fence(c_.facts.device_types.at(0), c_.device, static_cast<std::int64_t>(producer),
                             static_cast<std::int64_t>(consumer)));
}

void Session::put_fork(const Statement& s, const Made& made, std::uint64_t stream) {
    if (way_ == Way::captured) {
        fork(c_, made.fork);
    } else {
        eager_forks_.push_back(&made);
        for (std::uint64_t into : made.into) fence(stream, into);
    }
    for (std::size_t i = 0; i < s.blocks.size(); ++i) {
        put(s.blocks[i], made.inner[i], made.into[i], &made);
    }
    if (way_ == Way::captured) {
        join(c_, made.fork);
    } else {
        for (std::uint64_t into : made.into) fence(into, stream);
    }
}

// Marks are numbered in the order in which they are made. Eagerly a wait is a fence, which holds back no less than the
// mark.
void Session::put_order(const Statement& s, std::uint64_t stream, const Made& fork) {
    const auto found = std::find(fork.into.begin(), fork.into.end(), stream);
    const auto at = static_cast<std::uint64_t>(found - fork.into.begin());
    if (way_ == Way::eager) {
        std::vector<std::uint64_t>& marked = marked_[&fork];
        if (s.what == Do::wait) return fence(marked.at(s.number), stream);
        marked.push_back(stream);
        return;
    }
    if (s.what == Do::wait) {
        ROW_OK(c_, c_.seam.fork_wait(fork.fork.get(), at, s.number));
        return;
    }
    std::uint64_t mark = 0;
    ROW_OK(c_, c_.seam.fork_mark(fork.fork.get(), at, &mark));
    ROW_EQ(c_, mark, std::uint64_t(s.number));
}

void Session::put_conditional(const Statement& s, const Made& made, std::uint64_t stream) {
    Launch(c_, "conformance_decide")
        .with(s.decision.modulus)
        .with(plane(s.from))
        .with(cell(s, CellsOf::count))
        .on(stream)
        .run();
    begin(c_, made.conditional);
    for (std::size_t i = 0; i < s.blocks.size(); ++i) put(s.blocks[i], made.inner[i], made.into[i], nullptr);
    if (s.what == Do::loop) {
        Launch(c_, "conformance_fall").with(cell(s, CellsOf::count)).on(made.into[0]).run();
        if (s.decision.has_break) {
            Launch(c_, "conformance_reached")
                .with(s.decision.break_at)
                .with(cell(s, CellsOf::ran))
                .with(cell(s, CellsOf::brk))
                .on(made.into[0])
                .run();
        }
    }
    end(c_, made.conditional);
}

}  // namespace eagle::conformance::random
