#include <eagle/ActiveSet.h>
#include <eagle/Error.h>

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "Held.h"
#include "active/Finished.h"
#include "active/Moving.h"
#include "active/Order.h"
#include "active/Queue.h"
#include "array/Place.h"
#include "backend/Entry.h"
#include "backend/Loaded.h"
#include "exec/Busy.h"

namespace eagle {
namespace {

void check_mask(const ArrayView& mask) {
    if (mask.ndim != 1)
        throw LayoutError("the mask has " + std::to_string(mask.ndim) +
                          " dimensions; it needs one byte a sample: give a bool array of shape (N,)");
    if (mask.type != ElementType::of(Dtype::boolean) && mask.type != ElementType{TypeCode::unsigned_integer, 8})
        throw BufferRefused("the mask has dtype " + element_type_name(mask.type) +
                            "; it needs bool or uint8, one byte a sample");
    if (mask.size() > 1 && mask.strides[0] != 1)
        throw LayoutError("the bytes of the mask lie " + std::to_string(mask.strides[0]) +
                          " apart; it needs them next to each other: give a dense copy");
    if (mask.size() > std::numeric_limits<std::int32_t>::max())
        throw Unsupported("the mask has " + std::to_string(mask.size()) +
                          " samples, and their numbers have 32 bits here; give at most " +
                          std::to_string(std::numeric_limits<std::int32_t>::max()) + ": work on parts of the samples");
}

float checked_theta(float theta) {
    if (theta > 0 && theta < 1) return theta;
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), theta).ptr;
    throw InvalidArgument("theta is " + std::string(text.data(), end) +
                          "; it is a share of live slots, more than 0 and less than 1");
}

Backend backend_of(const ArrayView& mask) {
    check_mask(mask);
    const Backend backend = detail::backend_of_device_type(mask.device_type);
    backend.require(Group::filtering);
    return backend;
}

Array index_map_of(const Backend& backend, const ArrayView& mask) {
    const std::int64_t shape[] = {mask.size()};
    return Array::zeros(shape, Dtype::int32, backend, mask.device_id);
}

}  // namespace

struct ActiveSet::State {
    State(const ArrayView& of, const ActiveSetOptions& given)
        : mask(of),
          options(given),
          n(of.size()),
          queue(backend_of(of), of.device_id, given.stream, of.device_type == 1),
          cells(queue.backend(), queue.device(), static_cast<std::uint32_t>(n)),
          index_map(index_map_of(queue.backend(), of)),
          moving(of, index_map),
          span(n) {
        checked_theta(options.theta);
    }
    // What is on the stream may use memory that goes with the set.
    ~State() {
        try {
            queue.wait();
        } catch (const Error&) {  // of a backend that cannot be asked any more, whose work has come to its end
        }
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void add(const ArrayView& plane);
    void compact();
    void reorder(bool if_fired);
    void restore();
    void reset();
    std::int64_t read_live();
    bool read_fired();
    std::int64_t read_span();
    std::vector<std::int32_t> look_for_finished();
    void begin_telling();

    bool moved() const { return order && order->moved(); }
    std::uint64_t mask_at() const { return reinterpret_cast<std::uint64_t>(mask.data); }

    ArrayView mask;
    ActiveSetOptions options;
    std::int64_t n;
    active::Queue queue;
    active::Cells cells;
    Array index_map, scratch;
    active::Moving moving;
    std::optional<active::Order> order;
    std::optional<active::Finished> finished;
    Finished hook;
    std::int64_t span;          // no live sample lies behind it
    bool span_is_known = true;  // otherwise the cell may say less
    bool counted = false;
    exec::Claim busy{0};

  private:
    void make_order();
};

void ActiveSet::State::add(const ArrayView& plane) {
    if (plane.device_type != mask.device_type || plane.device_id != mask.device_id)
        throw BufferRefused("the plane is on " + place_text(plane) + ", the mask on " + place_text(mask) +
                            "; a set needs both in one place: copy one of them over");
    const std::vector<active::Row> fresh = moving.fresh_rows(plane);
    if (!fresh.empty() && moved())
        throw InvalidArgument(
            "a plane is added while the samples are out of order, and would not match them; add every plane before "
            "the first reorder, or call restore() first");
    moving.add(plane, fresh);
}

void ActiveSet::State::compact() {
    counted = true;
    if (n == 0) return;
    eagle_backend_compact_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = queue.device();
    desc.flags = options.mask_is_live ? 0 : EAGLE_BACKEND_COMPACT_MASK_IS_DROP;
    desc.mask = mask_at();
    desc.index_map = active::address(index_map);
    desc.count = cells.count_at;
    desc.n = span;
    desc.stream = queue.stream();
    desc.live32 = cells.groups_at;
    desc.span = cells.span_at;
    desc.fire = cells.fire_at;
    desc.theta = options.theta;
    const Backend& backend = queue.backend();
    if (scratch.view().ndim == 0) {
        eagle_backend_compact_desc query = desc;
        query.n = n;
        backend.check(backend.table().compact_device(&query), "compact_device");
        const std::int64_t shape[] = {query.scratch_bytes};
        scratch = Array::empty(shape, Dtype::boolean, backend, queue.device());
        queue.follow_default_stream();
    }
    desc.scratch = active::address(scratch);
    backend.check(backend.table().compact_device(&desc), "compact_device");
}

void ActiveSet::State::make_order() {
    if (order) return;
    if (mask.read_only)
        throw BufferRefused(
            "the mask is read-only, and a reorder moves it with its samples; give one that may be written");
    order.emplace(active::Site{queue, cells, mask_at(), active::address(index_map), n,
                               options.mask_is_live ? 0 : EAGLE_BACKEND_COMPACT_MASK_IS_DROP});
}

void ActiveSet::State::reorder(bool if_fired) {
    make_order();
    if (n == 0) return;
    order->reorder(moving.rows(), if_fired);
    span_is_known = false;
    counted = true;
}

void ActiveSet::State::restore() {
    if (!moved()) return;
    order->restore(moving.rows());
    if (finished) finished->restored();
    span = n;
    span_is_known = true;
    counted = false;
}

void ActiveSet::State::reset() {
    if (order && n > 0) order->reset();
    span = n;
    span_is_known = true;
    counted = false;
    if (hook) begin_telling();
}

std::int64_t ActiveSet::State::read_live() {
    std::uint32_t live = 0;
    queue.read(cells.count_at, sizeof live, &live);
    return live;
}

bool ActiveSet::State::read_fired() {
    std::uint32_t fired = 0;
    queue.read(cells.fire_at, sizeof fired, &fired);
    return fired != 0;
}

std::int64_t ActiveSet::State::read_span() {
    if (span_is_known) return span;
    std::uint32_t now = 0;
    queue.read(cells.span_at, sizeof now, &now);
    span_is_known = true;
    return span = now;
}

// Planes that moved before are told of by their order.
void ActiveSet::State::begin_telling() {
    std::vector<std::uint8_t> in_slots, in_order(static_cast<std::size_t>(n));
    queue.read(mask_at(), in_order.size(), in_slots);
    if (moved()) {
        const auto& samples = order->samples();
        for (std::size_t slot = 0; slot < in_slots.size(); ++slot)
            in_order[static_cast<std::size_t>(samples[slot])] = in_slots[slot];
    } else {
        in_order = std::move(in_slots);
    }
    finished.emplace(in_order, options.mask_is_live);
}

std::vector<std::int32_t> ActiveSet::State::look_for_finished() {
    if (!hook) return {};
    std::vector<std::uint8_t> bytes;
    queue.read(mask_at(), finished->slots(), bytes);
    std::span<const std::int32_t> samples;
    if (moved()) samples = std::span(order->samples()).first(finished->slots());
    return finished->look(bytes, samples, static_cast<std::size_t>(read_span()));
}

ActiveSet::ActiveSet(const ArrayView& mask, const ActiveSetOptions& options)
    : state_(std::make_unique<State>(mask, options)) {}
ActiveSet::~ActiveSet() = default;
ActiveSet::ActiveSet(ActiveSet&&) noexcept = default;
ActiveSet& ActiveSet::operator=(ActiveSet&&) noexcept = default;

ActiveSet::State& ActiveSet::state() const { return held(state_, "ActiveSet"); }

namespace {

constexpr const char* what = "active set";

// Tells outside of the call, so that the hook may ask the set.
void tell(const ActiveSet::Finished& hook, const std::vector<std::int32_t>& samples) {
    if (!samples.empty()) hook(samples);
}

}  // namespace

ActiveSet& ActiveSet::add(const ArrayView& plane) {
    State& s = state();
    const exec::Entered entered(s.busy, what);
    s.add(plane);
    return *this;
}

ActiveSet& ActiveSet::compact() {
    State& s = state();
    std::vector<std::int32_t> samples;
    Finished hook;
    {
        const exec::Entered entered(s.busy, what);
        s.compact();
        samples = s.look_for_finished();
        hook = s.hook;
    }
    tell(hook, samples);
    return *this;
}

ActiveSet& ActiveSet::reorder() {
    State& s = state();
    const exec::Entered entered(s.busy, what);
    s.reorder(false);
    return *this;
}

ActiveSet& ActiveSet::reorder_if_worth() {
    State& s = state();
    std::vector<std::int32_t> samples;
    Finished hook;
    {
        const exec::Entered entered(s.busy, what);
        s.compact();
        samples = s.look_for_finished();
        s.reorder(true);
        hook = s.hook;
    }
    tell(hook, samples);
    return *this;
}

ActiveSet& ActiveSet::restore() {
    State& s = state();
    const exec::Entered entered(s.busy, what);
    s.restore();
    return *this;
}

ActiveSet& ActiveSet::reset() {
    State& s = state();
    const exec::Entered entered(s.busy, what);
    s.reset();
    return *this;
}

std::int64_t ActiveSet::samples() const { return state().n; }

std::int64_t ActiveSet::live() {
    State& s = state();
    const exec::Entered entered(s.busy, what);
    if (!s.counted) s.compact();
    return s.read_live();
}

bool ActiveSet::worth_reordering() {
    State& s = state();
    const exec::Entered entered(s.busy, what);
    if (!s.counted) s.compact();
    return s.read_fired();
}

std::int64_t ActiveSet::live_span() {
    State& s = state();
    const exec::Entered entered(s.busy, what);
    return s.read_span();
}

std::int64_t ActiveSet::sample_of(std::int64_t slot) {
    State& s = state();
    const exec::Entered entered(s.busy, what);
    if (slot < 0 || slot >= s.n)
        throw IndexError("slot " + std::to_string(slot) + " is out of range; the set has " + std::to_string(s.n) +
                         ", counted from 0");
    return s.moved() ? s.order->samples()[static_cast<std::size_t>(slot)] : slot;
}

std::vector<std::int32_t> ActiveSet::order() {
    State& s = state();
    const exec::Entered entered(s.busy, what);
    if (s.moved()) return s.order->samples();
    std::vector<std::int32_t> same(static_cast<std::size_t>(s.n));
    for (std::size_t i = 0; i < same.size(); ++i) same[i] = static_cast<std::int32_t>(i);
    return same;
}

const Array& ActiveSet::index_map() const { return state().index_map; }
const Array& ActiveSet::count() const { return state().cells.count; }

ActiveSet& ActiveSet::when_finished(Finished hook) {
    State& s = state();
    const exec::Entered entered(s.busy, what);
    s.hook = std::move(hook);
    s.finished.reset();
    if (s.hook) s.begin_telling();
    return *this;
}

}  // namespace eagle
