#include "Generate.h"

#include <eagle/Memory.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <random>
#include <span>
#include <utility>

#include "Kernels.h"

namespace graphtest {

using namespace eagle;
using namespace eagle::graph;

namespace {

constexpr std::int64_t length = 8;
constexpr std::size_t real_count = 160, cell_count = 5, mask_count = 2, note_count = 64, stage_count = 6;

// What the nodes of a block may touch.
struct Rights {
    std::vector<PlaneRef> read, write;    // lines: float64[length]
    std::vector<CellRef> known, change;   // cells
    std::vector<std::size_t> compaction;  // mask, map and count of that number
    std::vector<PlaneRef> stages;         // of the host, for staged host functions
};

class Maker {
  public:
    Maker(GraphDescription& g, Program::Memory& memory, const Program::Places& places, std::uint64_t seed,
          const Shape& shape)
        : g_(g), memory_(memory), places_(places), random_(seed), shape_(shape) {}

    void make() {
        Rights rights = declare();
        block(rights, shape_.nodes, shape_.depth, true);
        // So that no seed gives an empty graph.
        add(g_, rights.write.front(), 1.0);
    }

  private:
    std::uint64_t below(std::uint64_t n) { return random_() % n; }
    template <class T>
    const T& one(const std::vector<T>& of) {
        return of[below(of.size())];
    }
    double real() { return static_cast<double>(below(2000)) / 1000.0 - 1.0; }
    std::string number(const char* name, std::size_t n) { return name + std::to_string(n); }

    enum Place : std::size_t { reals, masks, maps, cells };
    // That many elements, from number `first`.
    ArrayView there(Place place, std::uint64_t first, std::int64_t count) const {
        ArrayView view = places_[place];
        view.data = static_cast<std::byte*>(view.data) + first * static_cast<std::uint64_t>(view.strides[0]);
        view.shape[0] = count;
        return view;
    }
    CellRef cell_there(const char* name, std::size_t i, std::size_t first) {
        const ArrayView at = there(cells, first + i, 1);
        return g_.cell(number(name, i), reinterpret_cast<std::uint64_t>(at.data), {at.device_type, at.device_id});
    }

    Rights declare() {
        Rights rights;
        for (std::size_t i = 0; i < 14; ++i) {
            const auto stride = static_cast<std::int64_t>(1 + below(4));
            const std::size_t span = static_cast<std::size_t>((length - 1) * stride + 1);
            ArrayView view = there(reals, below(real_count - span + 1), length);
            view.strides[0] = 8 * stride;
            rights.write.push_back(g_.plane(number("line", i), view));
        }
        for (std::size_t i = 0; i < cell_count; ++i) rights.change.push_back(cell_there("cell", i, 0));
        for (std::size_t i = 0; i < mask_count; ++i) {
            const std::uint64_t first = i * static_cast<std::uint64_t>(length);
            masks_.push_back(g_.plane(number("mask", i), there(masks, first, length)));
            maps_.push_back(g_.plane(number("map", i), there(maps, first, length)));
            counts_.push_back(cell_there("count", i, cell_count));
            rights.compaction.push_back(i);
        }
        for (std::size_t i = 0; shape_.staged && i < stage_count; ++i)
            rights.stages.push_back(g_.plane(
                number("stage", i), ArrayView::host(memory_.stages.data() + i * length, Dtype::float64, {length})));
        rights.read = rights.write;
        rights.known = rights.change;
        return rights;
    }

    // Rights are by value: scratch that a block makes ends with it.
    void block(Rights rights, int count, int depth, bool root) {
        for (int i = 0; i < count; ++i) step(rights, depth, root);
    }

    // A body is never empty.
    void body(const Rights& rights, int depth) {
        add(g_, one(rights.write), real());
        block(rights, static_cast<int>(1 + below(4)), depth, false);
    }

    void step(Rights& rights, int depth, bool root) {
        const std::uint64_t kind = below(100);
        if (kind < 30) return mix_some(rights);
        if (kind < 38) return static_cast<void>(add(g_, one(rights.write), real()));
        if (kind < 44) return copy_some(rights);
        if (kind < 48) return fill_some(rights);
        if (kind < 54) return reduce_some(rights);
        if (kind < 60) return draw_some(rights);
        if (kind < 65) return compact_some(rights);
        if (kind < 72) return scratch_some(rights);
        if (kind < 77) return root && shape_.hosts ? host_some(rights) : mix_some(rights);
        if (kind < 80) return shape_.children ? child_some(rights) : mix_some(rights);
        if (kind < 86) return shape_.forks && depth > 0 ? fork_some(rights, depth, root) : mix_some(rights);
        if (depth == 0 || !shape_.conditionals || rights.change.empty()) return mix_some(rights);
        if (kind < 90) return if_some(rights, depth);
        if (kind < 94) return while_some(rights, depth);
        if (kind < 97) return repeat_some(rights, depth);
        return switch_some(rights, depth);
    }

    bool apart_or_same(PlaneRef a, PlaneRef b) const {
        return a == b || !touches(g_.plane(a).extent(), g_.plane(b).extent());
    }
    bool apart(PlaneRef a, PlaneRef b) const { return !touches(g_.plane(a).extent(), g_.plane(b).extent()); }

    void mix_some(Rights& rights) {
        for (int attempt = 0; attempt < 16; ++attempt) {
            const PlaneRef to = one(rights.write), a = one(rights.read), b = one(rights.read);
            if (!apart_or_same(to, a) || !apart_or_same(to, b)) continue;
            mix(g_, to, a, b, real());
            return;
        }
        add(g_, one(rights.write), real());
    }

    // Of a program without stages, the planes alone.
    static std::vector<PlaneRef> with_stages(std::vector<PlaneRef> planes, const Rights& rights) {
        planes.insert(planes.end(), rights.stages.begin(), rights.stages.end());
        return planes;
    }

    void copy_some(Rights& rights) {
        for (int attempt = 0; attempt < 16; ++attempt) {
            const PlaneRef to = one(with_stages(rights.write, rights)), from = one(with_stages(rights.read, rights));
            if (!g_.plane(to).dense() || !g_.plane(from).dense() || !apart(to, from)) continue;
            g_.copy(to, from);
            return;
        }
        mix_some(rights);
    }

    void fill_some(Rights& rights) {
        const PlaneRef to = one(rights.write);
        if (g_.plane(to).dense())
            g_.fill(to, real());
        else
            mix_some(rights);
    }

    void reduce_some(Rights& rights) {
        const PlaneRef from = one(rights.read);
        const auto into = g_.scratch(number("folded", ++made_), {1}, Dtype::float64);
        const Fold folds[] = {Fold::sum, Fold::max, Fold::min};
        g_.reduce(folds[below(3)], from, into);
        if (!rights.compaction.empty() && !rights.change.empty() && below(2) == 0)
            g_.reduce(Fold::all, masks_[one(rights.compaction)], one(rights.change));
        // A number of one element, drawn into a cell: reductions decide what runs.
        if (!rights.change.empty()) draw(g_, one(rights.change), into, one(rights.known), 4);
    }

    void draw_some(Rights& rights) {
        if (rights.change.empty()) return mix_some(rights);
        draw(g_, one(rights.change), one(rights.read), one(rights.known), static_cast<std::uint32_t>(2 + below(3)));
    }

    void compact_some(Rights& rights) {
        if (rights.compaction.empty()) return mix_some(rights);
        const std::size_t n = one(rights.compaction);
        mark(g_, masks_[n], one(rights.read));
        g_.compact(masks_[n], maps_[n], counts_[n], below(2) == 0);
        gather(g_, one(rights.write), maps_[n], counts_[n]);
    }

    void scratch_some(Rights& rights) {
        const PlaneRef made = g_.scratch(number("scratch", ++made_), {length}, Dtype::float64);
        if (below(2) == 0)
            mix(g_, made, one(rights.read), one(rights.read), real());
        else
            g_.fill(made, real());
        rights.write.push_back(made);
        rights.read.push_back(made);
    }

    std::vector<PlaneRef> outside_scratch(const std::vector<PlaneRef>& planes) const {
        std::vector<PlaneRef> out;
        for (PlaneRef p : planes)
            if (!g_.plane(p).scratch) out.push_back(p);
        return out;
    }

    void host_some(Rights& rights) {
        if (shape_.staged) return staged_some(rights);
        const auto readable = outside_scratch(rights.read), writable = outside_scratch(rights.write);
        if (readable.empty() || writable.empty() || notes_ == note_count) return mix_some(rights);
        const PlaneRef from = one(readable), to = one(writable);
        if (!apart_or_same(from, to)) return mix_some(rights);
        host(from, to);
    }

    void host(PlaneRef from, PlaneRef to) {
        const Plane a = g_.plane(from), b = g_.plane(to);
        double* note = memory_.notes.data() + notes_++;
        const auto call = [a, b, note] {
            double sum = 0;
            for (std::int64_t i = 0; i < length; ++i)
                sum += *reinterpret_cast<const double*>(a.address + static_cast<std::uint64_t>(i * a.strides[0]));
            *note += sum;
            for (std::int64_t i = 0; i < length; ++i)
                *reinterpret_cast<double*>(b.address + static_cast<std::uint64_t>(i * b.strides[0])) += 0.125 * sum;
        };
        g_.host(call, {from, to}, {to});
    }

    // There, computed on by the host, and back.
    void staged_some(Rights& rights) {
        if (rights.stages.empty() || notes_ == note_count) return mix_some(rights);
        const PlaneRef from = one(rights.stages), to = one(rights.stages);
        for (const PlaneRef stage : {from, to}) {
            const PlaneRef dense = g_.scratch(number("dense", ++made_), {length}, Dtype::float64);
            mix(g_, dense, one(rights.read), one(rights.read), real());
            g_.copy(stage, dense);
        }
        host(from, to);
        const PlaneRef back = g_.scratch(number("back", ++made_), {length}, Dtype::float64);
        g_.copy(back, to);
        mix(g_, one(rights.write), back, back, real());
    }

    void child_some(Rights& rights) {
        const auto readable = outside_scratch(rights.read), writable = outside_scratch(rights.write);
        if (readable.empty() || writable.empty()) return mix_some(rights);
        const PlaneRef from = one(readable), to = one(writable);
        if (!apart(from, to)) return mix_some(rights);
        auto inner = std::make_shared<GraphDescription>(number("child", ++made_));
        const auto declared = [&](const char* name, PlaneRef plane) {
            return inner->plane(name, g_.plane(plane).view(g_.plane(plane).address));
        };
        const PlaneRef a = declared("from", from), b = declared("to", to);
        const PlaneRef middle = inner->scratch("middle", {length}, Dtype::float64);
        mix(*inner, middle, a, b, real());
        add(*inner, middle, real());
        mix(*inner, b, middle, a, real());
        g_.child(std::move(inner));
    }

    void if_some(const Rights& rights, int depth) {
        IfOptions options;
        options.negate = below(2) == 0;
        if (below(3) == 0) options.baseline = one(rights.known);
        auto branch = g_.if_(one(rights.known), options);
        {
            auto then = branch.then();
            body(rights, depth - 1);
        }
        if (below(2) != 0) return;
        auto otherwise = branch.otherwise();
        body(rights, depth - 1);
    }

    Rights with_iteration(Rights rights, const LoopScope& loop) {
        rights.known.push_back(loop.iteration());
        return rights;
    }

    void while_some(const Rights& rights, int depth) {
        WhileOptions options;
        options.cap = static_cast<std::uint32_t>(1 + below(3));
        const CellRef guard = one(rights.change);
        if (below(3) == 0) options.limit = one(rights.known);
        const CellRef drawn = below(3) == 0 ? one(rights.change) : CellRef{};
        if (drawn && drawn.plane.index != guard.plane.index) options.stop = drawn;
        if (below(4) == 0) options.baseline = one(rights.known);
        auto loop = g_.while_(guard, options);
        const Rights inside = with_iteration(rights, loop);
        body(inside, depth - 1);
        draw(g_, guard, one(rights.read), loop.iteration(), 3);
        if (drawn) draw(g_, drawn, one(rights.read), one(inside.known), 2);
    }

    void repeat_some(const Rights& rights, int depth) {
        auto loop = g_.repeat(static_cast<std::uint32_t>(1 + below(3)));
        const Rights inside = with_iteration(rights, loop);
        body(inside, depth - 1);
        draw(g_, one(rights.change), one(rights.read), loop.iteration(), 3);
    }

    void switch_some(const Rights& rights, int depth) {
        const auto arms = static_cast<std::uint32_t>(1 + below(3));
        auto node = g_.switch_(one(rights.known), arms);
        for (std::uint32_t i = 0; i < arms; ++i) {
            auto arm = node.arm(i);
            body(rights, depth - 1);
        }
    }

    // Each set of planes that meet belongs to one branch; the others do not see it.
    void fork_some(const Rights& rights, int depth, bool root) {
        const std::size_t branches = 2 + below(2);
        const auto owner = owners(rights, branches);
        std::vector<Rights> parts(branches);
        for (std::size_t b = 0; b < branches; ++b) parts[b] = part(rights, owner, b);
        if (std::any_of(parts.begin(), parts.end(), [](const Rights& r) { return r.write.empty(); })) return;
        auto fork = g_.fork();
        for (const Rights& mine : parts) {
            auto branch = fork.branch();
            add(g_, one(mine.write), real());
            block(mine, static_cast<int>(1 + below(4)), depth - 1, root);
        }
    }

    std::vector<std::size_t> owners(const Rights& rights, std::size_t branches) {
        std::vector<std::size_t> owner(g_.planes().size());
        for (auto& o : owner) o = below(branches + 1);  // the last: nobody writes it
        std::vector<PlaneRef> all = rights.write;
        for (CellRef cell : rights.change) all.push_back(cell);
        for (std::size_t round = 0; round < all.size(); ++round)
            for (PlaneRef a : all)
                for (PlaneRef b : all)
                    if (!apart(a, b)) owner[b.index] = owner[a.index] = std::min(owner[a.index], owner[b.index]);
        return owner;
    }

    Rights part(const Rights& rights, const std::vector<std::size_t>& owner, std::size_t branch) {
        Rights mine;
        const auto foreign = [&](PlaneRef plane) {
            const auto theirs = [&](PlaneRef other) {
                return owner[other.index] != branch && owner[other.index] < branches_end(owner) && !apart(plane, other);
            };
            return std::any_of(rights.write.begin(), rights.write.end(), theirs) ||
                   std::any_of(rights.change.begin(), rights.change.end(), theirs);
        };
        for (PlaneRef p : rights.write)
            if (owner[p.index] == branch) mine.write.push_back(p);
        for (CellRef c : rights.change)
            if (owner[c.plane.index] == branch) mine.change.push_back(c);
        for (PlaneRef p : rights.read)
            if (!foreign(p)) mine.read.push_back(p);
        for (CellRef c : rights.known)
            if (!foreign(c)) mine.known.push_back(c);
        if (mine.known.empty()) mine.change.clear();
        for (std::size_t n : rights.compaction)
            if (n % 2 == branch % 2 && branch < 2) mine.compaction.push_back(n);
        for (std::size_t i = branch; i < rights.stages.size(); i += branches_end(owner))
            mine.stages.push_back(rights.stages[i]);
        if (mine.read.empty()) mine.read = mine.write;
        return mine;
    }
    // Planes that nobody owns have the largest number; to treat them as owned is only stricter.
    static std::size_t branches_end(const std::vector<std::size_t>&) { return 3; }

    GraphDescription& g_;
    Program::Memory& memory_;
    const Program::Places& places_;
    std::mt19937_64 random_;
    const Shape& shape_;
    std::vector<PlaneRef> masks_, maps_;
    std::vector<CellRef> counts_;
    std::size_t made_ = 0, notes_ = 0;
};

}  // namespace

Program::Program(std::uint64_t seed, const Shape& shape, const std::optional<Backend>& device)
    : memory_(std::make_unique<Memory>()),
      description_(std::make_unique<GraphDescription>("seed " + std::to_string(seed))),
      seed_(seed) {
    memory_->reals.resize(real_count);
    memory_->masks.resize(mask_count * length);
    memory_->maps.resize(mask_count * length);
    memory_->cells.resize(cell_count + mask_count);
    memory_->notes.resize(note_count);
    memory_->stages.resize(stage_count * length);
    Places places = on_host();
    for (ArrayView& place : places)
        if (device) place = there_.emplace_back(Array::upload(place, *device));
    reset();
    Maker(*description_, *memory_, places, seed, shape).make();
}

Program::Places Program::on_host() const {
    Memory& m = *memory_;
    return {ArrayView::of(std::span(m.reals)), ArrayView::of(std::span(m.masks)), ArrayView::of(std::span(m.maps)),
            ArrayView::of(std::span(m.cells))};
}

void Program::reset() {
    std::mt19937_64 random(seed_ ^ 0x5eed);
    for (double& x : memory_->reals) x = static_cast<double>(random() % 4096) / 1024.0 - 2.0;
    for (auto& m : memory_->masks) m = random() % 2;
    for (auto& m : memory_->maps) m = static_cast<std::int32_t>(random() % length);
    for (auto& c : memory_->cells) c = static_cast<std::uint32_t>(random() % 3);
    for (double& n : memory_->notes) n = 0;
    for (double& x : memory_->stages) x = 0;
    for (std::size_t i = 0; i < there_.size(); ++i) copy(on_host()[i], there_[i]);
}

std::vector<std::uint64_t> Program::contents() const {
    for (std::size_t i = 0; i < there_.size(); ++i) copy(there_[i], on_host()[i]);
    std::vector<std::uint64_t> all;
    for (double x : memory_->reals) all.push_back(std::bit_cast<std::uint64_t>(x));
    for (double x : memory_->notes) all.push_back(std::bit_cast<std::uint64_t>(x));
    for (double x : memory_->stages) all.push_back(std::bit_cast<std::uint64_t>(x));
    for (auto m : memory_->masks) all.push_back(m);
    for (auto m : memory_->maps) all.push_back(static_cast<std::uint64_t>(m));
    for (auto c : memory_->cells) all.push_back(c);
    return all;
}

}  // namespace graphtest
