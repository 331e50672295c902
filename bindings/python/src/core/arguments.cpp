#include "arguments.h"

#include <Gil.h>
#include <StringText.h>
#include <Warnings.h>
#include <eagle/Interop.h>

#include <utility>

#include "device_argument.h"
#include "device_array.h"
#include "options.h"

namespace nb = nanobind;

namespace eagle::python {

int visit_array(const HeldArray& array, visitproc visit, void* arg) {
    Py_VISIT(array.object.ptr());
    return array.hold.traverse(visit, arg);
}

Names::Names(std::span<const Signature> signatures) {
    for (const Signature& signature : signatures)
        for (const Parameter& parameter : signature.parameters) add(signature, parameter);
}

void Names::add(const Signature& signature, const Parameter& parameter) {
    if (parameter.supplied() || parameter.role == Role::nsamples) return;
    for (Entry& entry : entries_) {
        if (entry.name != parameter.name) continue;
        entry.written |= signature.writes(parameter);
        return;
    }
    PyObject* interned = PyUnicode_InternFromString(parameter.name.c_str());
    if (interned == nullptr) throw nb::python_error();
    entries_.push_back(
        {nb::steal(interned), signature.kernel, parameter.name, parameter.is_plane(), signature.writes(parameter)});
}

const Names::Entry* Names::find(nb::handle name) const {
    for (const Entry& entry : entries_)
        if (entry.interned.is(name)) return &entry;
    for (const Entry& entry : entries_)
        if (PyUnicode_Compare(entry.interned.ptr(), name.ptr()) == 0) return &entry;
    return nullptr;
}

std::string_view text_of(nb::handle string, const char* what) {
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(string.ptr(), &length);
    if (text == nullptr && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw nb::python_error();
    if (text == nullptr) {
        PyErr_Clear();
        throw InvalidArgument(std::string(what) + " is " + shown(string) +
                              ", with half of a surrogate pair, which is no character; it must be a text that UTF-8 "
                              "can hold");
    }
    return {text, static_cast<std::size_t>(length)};
}

SamplesAxis samples_axis(nb::handle layout) {
    constexpr const char* needed = "; it must be 'samples_first' or 'samples_last'";
    if (layout.is_none()) return SamplesAxis::unspecified;
    const std::string what = "layout is " + shown(layout);
    if (!PyUnicode_Check(layout.ptr())) throw ArgumentError(what + needed);
    const std::string_view text = text_of(layout, "layout");
    if (text == "samples_first") return SamplesAxis::first;
    if (text == "samples_last") return SamplesAxis::last;
    throw InvalidArgument(what + needed);
}

Incoming::Incoming(const Names& names, Accept accept, std::size_t expected) : names_(names), accept_(accept) {
    arguments_.reserve(expected);
    held_.reserve(expected);
}

namespace {

// The default stream has no code that every device type takes.
StreamCode code_of(std::uint64_t raw) { return raw == 0 ? StreamCode() : StreamCode(static_cast<std::int64_t>(raw)); }

}  // namespace

// Memory that a library frees in the order of its stream is safe behind a run in that order; other memory is kept.
ArgumentValue Incoming::from_device(const Names::Entry& entry, nb::handle value, Import& in) {
    DeviceArgument found = import_from_device(value.ptr(), {entry.kernel, entry.name}, entry.written, in);
    if (!found.stream) return std::move(found.value);
    const auto stream = static_cast<std::uint64_t>(*found.stream);
    const ArrayView view = std::get<ArrayView>(found.value);
    if (!library_stream_) library_stream_ = stream;
    if (*library_stream_ != stream) {
        const WithoutGil released;
        order_streams(view.device_type, view.device_id, code_of(stream), code_of(*library_stream_));
    }
    const bool in_its_order = accept_ == Accept::values && !stream_ && *library_stream_ == stream;
    return in_its_order ? ArgumentValue(view) : std::move(found.value);
}

ArgumentValue Incoming::imported(const Names::Entry& entry, nb::handle value, HeldArray& held) {
    if (const DeviceArray* array = device_array(value)) {
        on_device_ = true;
        held.object = nb::borrow(value);
        return array->array;
    }
    Import in;
    import_argument(value.ptr(), {entry.kernel, entry.name}, !entry.plane, entry.written, accept_, in);
    torch_ |= in.torch;
    held.sequence = in.sequence;
    // A number holds nothing.
    if (std::holds_alternative<ArrayView>(in.value)) held.object = nb::borrow(value);
    if (in.on_host()) {
        held.hold = std::move(in.hold);
        return in.value;
    }
    on_device_ = true;
    return from_device(entry, value, in);
}

void Incoming::add(nb::handle name, nb::handle value) {
    const Names::Entry* entry = names_.find(name);
    if (entry == nullptr) {
        arguments_.emplace_back(escaped_text(name.ptr()), 0.0);
        return;
    }
    const std::string_view text = entry->name;
    HeldArray held;
    ArgumentValue& kept = arguments_.emplace_back(text, imported(*entry, value, held)).second;
    auto* view = std::get_if<ArrayView>(&kept);
    if (view == nullptr) return;
    elements_ += view->size();
    if (view->axis == SamplesAxis::unspecified) view->axis = axis_;
    held.name = text;
    held_.push_back(std::move(held));
}

nb::handle Incoming::given(std::string_view name) const {
    for (const HeldArray& held : held_)
        if (held.name == name) return held.object;
    return {};
}

void Incoming::warn_of(std::span<const marshal::Notice> notices) const {
    for (const marshal::Notice& notice : notices) {
        bool sequence = false;
        for (const HeldArray& held : held_) sequence |= held.sequence && held.name == notice.parameter;
        if (!sequence) warn(notice);
    }
}

}  // namespace eagle::python
