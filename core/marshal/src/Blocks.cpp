// What a caller does with packed arguments.
#include <eagle/Error.h>
#include <eagle/marshal/Pack.h>

#include <string>
#include <utility>

#include "Arguments.h"
#include "Convert.h"
#include "Numbers.h"
#include "Text.h"

namespace eagle::marshal {
namespace {

std::size_t checked_index(const Arguments& a, std::size_t index) {
    if (index < a.count) return index;
    throw InvalidArgument("kernel '" + a.signature.kernel + "' has no parameter " + std::to_string(index) +
                          "; it has " + std::to_string(a.count) + ", counted from 0");
}

template <class T>
void put_number(Arguments& a, std::size_t index, T value) {
    const Parameter& p = a.parameter(checked_index(a, index));
    if (p.role != Role::uniform)
        throw ArgumentError(who(a.signature, p) + " is a number, and its role is " + std::string(role_name(p.role)) +
                            "; it needs an array");
    a.slots[index].block.size = store_number(a.signature, p, value, a.slots[index].block.bytes);
}

void check_same_batch(const Arguments& a, const Parameter& p, const Slot& slot) {
    if (!p.is_sample_plane()) return;
    if (slot.reading.samples == a.samples && slot.reading.one == a.one) return;
    std::string needed = a.one ? "one sample" : "a batch of " + std::to_string(a.samples);
    throw LayoutError(who(a.signature, p) + " has shape " + shape_text(slot.view) + "; the other arguments are " +
                      needed + ": give as many samples, or bind anew");
}

}  // namespace

Packed::Packed() = default;
Packed::~Packed() = default;
Packed::Packed(Packed&&) noexcept = default;
Packed& Packed::operator=(Packed&&) noexcept = default;

std::int64_t Packed::samples() const { return state_->samples; }
bool Packed::one_sample() const { return state_->one; }
void* const* Packed::params() const { return state_->params - state_->ahead(); }
const std::uint64_t* Packed::param_sizes() const { return state_->sizes - state_->ahead(); }
std::size_t Packed::count() const { return state_->count + state_->ahead(); }
std::span<const Notice> Packed::notices() const { return state_->notices; }

void Packed::set_number(std::size_t index, double value) { put_number(*state_, index, value); }
void Packed::set_number(std::size_t index, std::int64_t value) { put_number(*state_, index, value); }

void Packed::set_supplied(std::size_t index, void* data, std::int64_t samples) {
    Arguments& a = *state_;
    const Parameter& p = a.parameter(checked_index(a, index));
    if (!p.supplied())
        throw ArgumentError(who(a.signature, p) + " is the caller's; only names that begin with __ are supplied");
    Slot& slot = a.slots[index];
    slot.reading = {};
    slot.reading.samples = samples;
    settle_strides(slot.reading, static_cast<std::int64_t>(dtype_size(p.dtype)));
    slot.reading.sample_stride = static_cast<std::int64_t>(dtype_size(p.dtype));
    slot.view = ArrayView::host(data, p.dtype, {samples});
    slot.view.device_type = a.options.device_type;
    slot.view.device_id = a.options.device_id;
    fill_view_block(p, slot, data);
}

void Packed::set_array(std::size_t index, const ArrayView& array) {
    Arguments& a = *state_;
    const Parameter& p = a.parameter(checked_index(a, index));
    if (!p.is_plane() || p.supplied())
        throw ArgumentError(who(a.signature, p) + " is an array; role " + std::string(role_name(p.role)) +
                            (p.supplied() ? " is supplied by the loader" : " needs a number"));
    Slot fresh;
    fresh.view = array;
    fresh.plane = true;
    fresh.written = a.signature.writes(p);
    if (array.device_type != a.options.device_type || array.device_id != a.options.device_id)
        throw BufferRefused(who(a.signature, p) + " is on " + device_text(array.device_type, array.device_id) +
                            "; the others are on " + device_text(a.options.device_type, a.options.device_id) +
                            ": copy it there first");
    check_plane(a, index, fresh);
    check_same_batch(a, p, fresh);
    check_overlap(a, index, fresh);
    bind_plane(a, index, fresh);
    a.slots[index] = std::move(fresh);
}

const ArrayView& Packed::array(std::size_t index) const {
    const Arguments& a = *state_;
    const Parameter& p = a.parameter(checked_index(a, index));
    if (!p.is_plane())
        throw ArgumentError(who(a.signature, p) + " is no array; its role is " + std::string(role_name(p.role)));
    return a.slots[index].view;
}

std::shared_ptr<void> Packed::allocated(std::size_t index) const {
    const Slot& slot = state_->slots[checked_index(*state_, index)];
    return slot.allocated ? slot.memory : nullptr;
}

void Packed::copy_back() {
    Arguments& a = *state_;
    for (std::size_t i = 0; i < a.count; ++i) {
        Slot& slot = a.slots[i];
        if (slot.copied && slot.written)
            copy_out(slot.memory.get(), static_cast<std::int64_t>(dtype_size(a.parameter(i).dtype)), slot.view,
                     slot.reading);
    }
}

}  // namespace eagle::marshal
