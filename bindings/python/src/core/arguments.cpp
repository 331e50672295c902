#include "arguments.h"

#include <Warnings.h>
#include <eagle/Backend.h>

#include <algorithm>

namespace nb = nanobind;

namespace eagle::python {

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

std::string_view text_of(nb::handle string) {
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(string.ptr(), &length);
    if (text == nullptr) throw nb::python_error();
    return {text, static_cast<std::size_t>(length)};
}

SamplesAxis samples_axis(nb::handle layout) {
    constexpr const char* needed = "; it must be 'samples_first' or 'samples_last'";
    if (layout.is_none()) return SamplesAxis::unspecified;
    const std::string shown = std::string("layout is ") + nb::repr(layout).c_str();
    if (!PyUnicode_Check(layout.ptr())) throw ArgumentError(shown + needed);
    const std::string_view text = text_of(layout);
    if (text == "samples_first") return SamplesAxis::first;
    if (text == "samples_last") return SamplesAxis::last;
    throw InvalidArgument(shown + needed);
}

Incoming::Incoming(const Names& names, Accept accept, std::size_t expected) : names_(names), accept_(accept) {
    arguments_.reserve(expected);
    held_.reserve(expected);
}

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string made;
    for (const std::string& word : words) made += (made.empty() ? "" : ", ") + word;
    return made.empty() ? "none" : made;
}

// An array that lives elsewhere: refused by the kind that serves it, which marshal knows nothing of.
[[noreturn]] void refuse_device(const Subject& subject, const ArrayView& view) {
    const nb::gil_scoped_release released;  // the loader may ask Python for entry points
    const std::string kind = kind_of_device_type(view.device_type);
    const std::string found = subject.text() + " is on device " + kind + ":" + std::to_string(view.device_id);
    const std::vector<std::string> installed = installed_kinds();
    if (std::find(installed.begin(), installed.end(), kind) == installed.end()) {
        throw BackendUnavailable(
            found + ", and no backend of kind '" + kind + "' is installed (installed: " + joined(installed) +
            "); install a wheel of eagle that carries libeagle_" + kind + ".so, or copy the array to the host");
    }
    throw BufferRefused(found + "; this plan's kernel is loaded for the host: copy the array to the host");
}

}  // namespace

void Incoming::add(nb::handle name, nb::handle value) {
    const std::string_view text = text_of(name);
    const Names::Entry* entry = names_.find(name);
    if (entry == nullptr) {
        arguments_.emplace_back(text, 0.0);
        return;
    }
    Import in;
    const Subject subject{entry->kernel, entry->name};
    import_argument(value.ptr(), subject, !entry->plane, entry->written, accept_, in);
    const auto* view = std::get_if<ArrayView>(&in.value);
    if (view != nullptr) {
        if (!in.on_host()) refuse_device(subject, *view);
        elements_ += view->size();
    }
    torch_ |= in.torch;
    Value& kept = arguments_.emplace_back(text, in.value).second;
    if (view != nullptr && view->axis == SamplesAxis::unspecified) std::get<ArrayView>(kept).axis = axis_;
    // A number holds nothing.
    if (view != nullptr) held_.push_back({std::string(text), nb::borrow(value), std::move(in.hold), in.sequence});
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
