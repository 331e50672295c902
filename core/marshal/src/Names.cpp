// From names to places.
#include <eagle/Error.h>
#include <eagle/marshal/NameText.h>
#include <eagle/marshal/Pack.h>

#include <string>
#include <vector>

#include "Arguments.h"
#include "Numbers.h"
#include "Text.h"

namespace eagle::marshal {
namespace {

std::size_t place_of(const Signature& signature, std::string_view name) {
    int i = signature.find(name);
    if (i < 0) throw ArgumentError(unknown_argument_text(signature, name));
    const Parameter& p = signature.parameters[static_cast<std::size_t>(i)];
    if (p.supplied() || p.role == Role::nsamples)
        throw ArgumentError(who(signature, p) + " is supplied by the loader; leave it out. The kernel takes " +
                            arguments_text(signature));
    return static_cast<std::size_t>(i);
}

[[noreturn]] void refuse_missing(const Arguments& a, const Parameter& p) {
    std::string text = who(a.signature, p) + ", role " + std::string(role_name(p.role)) + ", is missing";
    if (p.role == Role::out) text += "; nothing is allocated here: give the array to write to";
    throw ArgumentError(text + "; the kernel takes " + arguments_text(a.signature));
}

// A number where the plane is a scalar a sample: one sample.
void admit_single(Arguments& a, std::size_t i, const Value& value) {
    const Parameter& p = a.parameter(i);
    Slot& slot = a.slots[i];
    if (a.options.conversion == Conversion::refuse || !p.is_sample_plane() || !p.scalar())
        throw ArgumentError(who(a.signature, p) + " is a number; role " + std::string(role_name(p.role)) +
                            " needs an array" + (p.is_sample_plane() ? " of shape " + native_text(p) : ""));
    if (a.signature.writes(p))
        throw ArgumentError(who(a.signature, p) +
                            " is a number, and the kernel writes it; it needs an array of shape "
                            "(N,), or () for one sample");
    std::visit(
        [&](const auto& v) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(v)>, ArrayView>)
                store_number(a.signature, p, v, slot.number);
        },
        value);
    slot.view = ArrayView::host(slot.number, p.dtype, {}, true);
    slot.view.device_type = a.options.device_type;
    slot.view.device_id = a.options.device_id;
    slot.plane = true;
}

}  // namespace

void admit(Arguments& a, std::size_t i, const Value* value) {
    const Parameter& p = a.parameter(i);
    Slot& slot = a.slots[i];
    slot.written = a.signature.writes(p);
    if (value == nullptr) {
        if (p.supplied() || p.role == Role::nsamples) return;
        if (p.role == Role::out && a.options.allocate_out) return;
        refuse_missing(a, p);
    }
    if (const ArrayView* array = std::get_if<ArrayView>(value)) {
        if (!p.is_plane())
            throw ArgumentError(
                who(a.signature, p) + " is an array of shape " + shape_text(*array) +
                "; a uniform needs a number, one for all samples: take one element, as with x.item(), or declare "
                "it per sample in the kernel");
        slot.view = *array;
        slot.plane = true;
    } else if (p.is_plane()) {
        admit_single(a, i, *value);
    } else if (const double* number = std::get_if<double>(value)) {
        slot.block.size = store_number(a.signature, p, *number, slot.block.bytes);
    } else {
        slot.block.size = store_number(a.signature, p, std::get<std::int64_t>(*value), slot.block.bytes);
    }
}

Packed pack(const Signature& signature, std::span<const std::string_view> names, std::span<const Value> values,
            const Options& options) {
    if (names.size() != values.size())
        throw ArgumentError(std::to_string(names.size()) + " names and " + std::to_string(values.size()) +
                            " values; each value needs its name");
    constexpr std::size_t few = 24;
    const Value* in_place[few] = {};
    std::vector<const Value*> many;
    std::size_t count = signature.parameters.size();
    if (count > few) many.resize(count);
    std::span<const Value*> matched = count > few ? std::span(many) : std::span(in_place, count);
    for (std::size_t k = 0; k < names.size(); ++k) {
        std::size_t i = place_of(signature, names[k]);
        if (matched[i] != nullptr)
            throw ArgumentError("argument '" + std::string(names[k]) + "' of kernel '" + signature.kernel +
                                "' is given twice; give it once");
        matched[i] = &values[k];
    }
    return pack(signature, std::span<const Value* const>(matched.data(), matched.size()), options);
}

}  // namespace eagle::marshal
