#include "Interpret.h"

#include <eagle/Plan.h>
#include <eagle/marshal/Pack.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <type_traits>

namespace graphtest {

using namespace eagle;
using namespace eagle::graph;

namespace {

// The entry of a kernel of host memory, as the seam has it.
using Entry = void(void* const* params, std::int64_t base, std::int64_t count, std::int64_t n_samples);

constexpr int rubbish = 0xa5;

template <class From, class Into>
void fold(Fold how, const std::vector<std::byte*>& from, std::byte* into) {
    const auto combine = [how](Into a, Into b) -> Into {
        switch (how) {
            case Fold::sum:
                // Integers wrap.
                if constexpr (std::is_integral_v<Into>)
                    return static_cast<Into>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
                else
                    return a + b;
            case Fold::max:
                return b > a || b != b ? b : a;
            case Fold::min:
                return b < a || b != b ? b : a;
            case Fold::all:
                break;
        }
        return static_cast<Into>(a != Into{0} && b != Into{0});
    };
    Into identity{0};
    using Limits = std::numeric_limits<Into>;
    if (how == Fold::all) identity = Into{1};
    if (how == Fold::max) identity = Limits::has_infinity ? static_cast<Into>(-Limits::infinity()) : Limits::lowest();
    if (how == Fold::min) identity = Limits::has_infinity ? Limits::infinity() : Limits::max();
    Into result = identity;
    for (std::size_t low = 0; low < from.size(); low += Reduce::block) {
        Into part = identity;
        for (std::size_t i = low; i < from.size() && i < low + Reduce::block; ++i) {
            From value;
            std::memcpy(&value, from[i], sizeof value);
            if (how == Fold::all)
                part = combine(part, static_cast<Into>(value != From{0}));
            else
                part = combine(part, static_cast<Into>(value));
        }
        result = combine(result, part);
    }
    std::memcpy(into, &result, sizeof result);
}

template <class From>
void fold_from(const Reduce& work, ElementType into, const std::vector<std::byte*>& from, std::byte* to) {
    if (into == ElementType::of(Dtype::boolean))
        fold<From, std::uint8_t>(work.fold, from, to);
    else if (into == ElementType::of(Dtype::uint32))
        fold<From, std::uint32_t>(work.fold, from, to);
    else if (into == ElementType::of(Dtype::int64))
        fold<From, std::int64_t>(work.fold, from, to);
    else if (into == ElementType::of(Dtype::int32))
        fold<From, std::int32_t>(work.fold, from, to);
    else if (into == ElementType::of(Dtype::float32))
        fold<From, float>(work.fold, from, to);
    else
        fold<From, double>(work.fold, from, to);
}

}  // namespace

std::vector<std::byte*> elements(const Plane& plane, std::byte* first) {
    std::vector<std::byte*> all{first};
    for (std::int32_t i = 0; i < plane.ndim; ++i) {
        std::vector<std::byte*> more;
        for (std::byte* start : all)
            for (std::int64_t k = 0; k < plane.shape[static_cast<std::size_t>(i)]; ++k)
                more.push_back(start + k * plane.strides[static_cast<std::size_t>(i)]);
        all = std::move(more);
    }
    return all;
}

Interpreter::Interpreter(const GraphDescription& description) : Walker(description) {
    for (std::uint32_t p = 0; p < description.planes().size(); ++p) {
        const Plane& plane = description.planes()[p];
        const bool own = plane.scratch && plane.root == p;
        scratch_.push_back(nullptr);
        if (!own) continue;
        memory_.push_back(std::make_unique<std::byte[]>(plane.bytes + 1));
        sizes_.push_back(plane.bytes);
        scratch_.back() = memory_.back().get();
    }
}

Interpreter::Interpreter(const GraphDescription& description, const GraphAnalysis& analysis, const ArenaPlan& plan,
                         std::uint64_t seed)
    : Walker(description), analysis_(&analysis), random_(seed) {
    memory_.push_back(std::make_unique<std::byte[]>(plan.bytes + 1));
    sizes_.push_back(plan.bytes);
    for (std::uint64_t offset : plan.offsets)
        scratch_.push_back(offset == ArenaPlan::nowhere ? nullptr : memory_.back().get() + offset);
}

std::vector<std::uint32_t> Interpreter::order_of(std::uint32_t body) {
    std::vector<std::uint32_t> left = Walker::order_of(body), order;
    if (analysis_ == nullptr) return left;
    while (!left.empty()) {
        std::vector<std::size_t> ready;
        for (std::size_t i = 0; i < left.size(); ++i) {
            const auto edges = analysis_->into(left[i]);
            const auto waits = [&](const Edge& e) { return std::find(left.begin(), left.end(), e.from) != left.end(); };
            if (std::none_of(edges.begin(), edges.end(), waits)) ready.push_back(i);
        }
        const std::size_t next = ready.at(random_() % ready.size());
        order.push_back(left[next]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(next));
    }
    return order;
}

std::byte* Interpreter::at(std::uint32_t plane) const {
    const Plane& of = description_.planes()[plane];
    if (of.scratch) return scratch_[of.root] + of.offset;
    return reinterpret_cast<std::byte*>(of.address);
}

void Interpreter::run() {
    ran_.clear();
    for (std::size_t i = 0; i < memory_.size(); ++i) std::memset(memory_[i].get(), rubbish, sizes_[i]);
    body(0);
}

std::uint32_t Interpreter::read(CellRef cell) {
    std::uint32_t value = 0;
    std::memcpy(&value, at(cell.plane), sizeof value);
    return value;
}

void Interpreter::write(PlaneRef plane, std::span<const std::uint32_t> words) {
    std::memcpy(at(plane), words.data(), words.size_bytes());
}

void Interpreter::work(const Node& node) {
    if (const auto* work = std::get_if<Copy>(&node.work)) {
        const auto from = elements(description_.plane(work->from), at(work->from));
        const auto to = elements(description_.plane(work->to), at(work->to));
        for (std::size_t i = 0; i < to.size(); ++i)
            std::memcpy(to[i], from[i], description_.plane(work->to).item_bytes());
    } else if (const auto* fill = std::get_if<Fill>(&node.work)) {
        std::byte* to = at(fill->plane);
        for (std::uint64_t i = 0; i < description_.plane(fill->plane).bytes; ++i)
            to[i] = fill->pattern[i % fill->pattern.size()];
    } else if (const auto* launched = std::get_if<Launch>(&node.work)) {
        launch(*launched);
    } else if (const auto* bare = std::get_if<Function>(&node.work)) {
        function(*bare);
    } else if (const auto* host = std::get_if<HostCall>(&node.work)) {
        host->call();
    } else if (const auto* folded = std::get_if<Reduce>(&node.work)) {
        reduce(*folded);
    } else if (const auto* compacted = std::get_if<Compact>(&node.work)) {
        compact(*compacted);
    } else if (const auto* inner = std::get_if<Child>(&node.work)) {
        child(*inner);
    } else {
        throw std::logic_error("node '" + node.name + "' needs a stream, and there is none here");
    }
}

void Interpreter::launch(const Launch& work) {
    const Signature& signature = work.plan.kernel().signature();
    std::vector<std::string_view> names;
    std::vector<marshal::Value> values;
    for (const auto& [name, argument] : work.arguments) {
        names.emplace_back(name);
        if (const auto* number = std::get_if<Number>(&argument.value)) {
            std::visit([&](auto n) { values.emplace_back(n); }, number->value);
            continue;
        }
        const PlaneRef plane = std::get<PlaneRef>(argument.value);
        ArrayView view = description_.plane(plane).view(reinterpret_cast<std::uint64_t>(at(plane)));
        view.device_type = 1;
        view.device_id = 0;
        values.emplace_back(view);
    }
    const marshal::Packed packed = marshal::pack(signature, names, values, {});
    reinterpret_cast<Entry*>(work.plan.kernel().step_entry())(packed.params(), 0, packed.samples(), packed.samples());
}

void Interpreter::function(const Function& work) {
    struct alignas(16) Storage {
        std::byte bytes[16];
    };
    std::vector<Storage> storage(work.arguments.size());
    std::vector<void*> params;
    for (std::size_t i = 0; i < storage.size(); ++i) {
        const auto& argument = work.arguments[i];
        if (argument.plane) {
            const auto address = reinterpret_cast<std::uint64_t>(at(argument.plane));
            std::memcpy(storage[i].bytes, &address, sizeof address);
        } else {
            std::memcpy(storage[i].bytes, argument.bytes.data(), argument.bytes.size());
        }
        params.push_back(storage[i].bytes);
    }
    reinterpret_cast<Entry*>(work.function)(params.data(), 0, work.count, work.count);
}

void Interpreter::reduce(const Reduce& work) {
    const Plane& plane = description_.plane(work.from);
    const ElementType from = plane.type, into = description_.plane(work.into).type;
    const auto all = elements(plane, at(work.from));
    if (from == ElementType::of(Dtype::boolean))
        fold_from<std::uint8_t>(work, into, all, at(work.into));
    else if (from == ElementType::of(Dtype::uint32))
        fold_from<std::uint32_t>(work, into, all, at(work.into));
    else if (from == ElementType::of(Dtype::int64))
        fold_from<std::int64_t>(work, into, all, at(work.into));
    else if (from == ElementType::of(Dtype::int32))
        fold_from<std::int32_t>(work, into, all, at(work.into));
    else if (from == ElementType::of(Dtype::float32))
        fold_from<float>(work, into, all, at(work.into));
    else
        fold_from<double>(work, into, all, at(work.into));
}

void Interpreter::compact(const Compact& work) {
    const auto* mask = reinterpret_cast<const std::uint8_t*>(at(work.mask));
    auto* map = reinterpret_cast<std::int32_t*>(at(work.map));
    std::uint32_t kept = 0;
    for (std::int64_t i = 0; i < description_.plane(work.mask).size(); ++i)
        if ((mask[i] != 0) != work.drop) map[kept++] = static_cast<std::int32_t>(i);
    write(work.count, {&kept, 1});
}

void Interpreter::child(const Child& work) {
    Interpreter inner(*work.graph);
    inner.run();
    ran_.insert(ran_.end(), inner.ran_.begin(), inner.ran_.end());
}

}  // namespace graphtest
