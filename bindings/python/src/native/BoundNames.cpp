#include "BoundNames.h"

#include <StringText.h>
#include <eagle/Error.h>
#include <eagle/marshal/NameText.h>

#include <algorithm>
#include <string>

namespace hawk::native {

using eagle::ArgumentError;
using eagle::Parameter;
using eagle::SamplesAxis;
using eagle::python::escaped_text;

namespace {

bool is_callers(const Parameter& p) { return !p.supplied() && p.role != eagle::Role::nsamples; }

std::string positional_names(const Program& program) {
    std::string text;
    for (std::size_t i : program.order()) text += (text.empty() ? "" : ", ") + program.signature().parameters[i].name;
    return text;
}

SamplesAxis axis_of(PyObject* value, const std::string& kernel) {
    if (value == Py_None) return SamplesAxis::unspecified;
    std::string found =
        PyUnicode_Check(value) ? eagle::marshal::shortened(escaped_text(value)) : Py_TYPE(value)->tp_name;
    if (found == "samples_first") return SamplesAxis::first;
    if (found == "samples_last") return SamplesAxis::last;
    throw ArgumentError("layout of the call of kernel '" + kernel + "' is '" + found +
                        "'; it must be \"samples_first\" or \"samples_last\"");
}

}  // namespace

BoundNames::BoundNames(const Program& program, PyObject* const* arguments, std::size_t positional, PyObject* keywords)
    : program_(program), given_(in_place_) {
    std::size_t count = program.count();
    if (count > few) {
        many_ = std::make_unique<PyObject*[]>(count);
        given_ = many_.get();
    }
    std::fill_n(given_, count, nullptr);
    if (positional > program.order().size())
        throw ArgumentError("kernel '" + program.signature().kernel + "' takes " +
                            std::to_string(program.order().size()) + " arguments by position (" +
                            positional_names(program) + "), " + std::to_string(positional) +
                            " were given; give outputs by keyword");
    for (std::size_t k = 0; k < positional; ++k) put(program.order()[k], arguments[k]);
    Py_ssize_t named = keywords != nullptr ? PyTuple_GET_SIZE(keywords) : 0;
    for (Py_ssize_t k = 0; k < named; ++k)
        keyword(PyTuple_GET_ITEM(keywords, k), arguments[positional + static_cast<std::size_t>(k)]);
    if (!program.quantities().empty()) check_quantities();
}

void BoundNames::check_quantities() const {
    for (const Quantity& quantity : program_.quantities()) {
        std::string all, missing;
        std::size_t given = 0;
        for (const std::size_t wire : quantity.wires) {
            const std::string& name = program_.signature().parameters[wire].name;
            all += (all.empty() ? "" : ", ") + name;
            if (given_[wire] != nullptr)
                ++given;
            else
                missing += (missing.empty() ? "" : ", ") + name;
        }
        if (given > 0 && given < quantity.wires.size())
            throw ArgumentError("quantity '" + quantity.name + "' of kernel '" + program_.signature().kernel +
                                "' is carried on " + all + ", and " + missing +
                                " is missing; its planes are given all or none");
    }
}

void BoundNames::put(std::size_t index, PyObject* value) {
    if (given_[index] != nullptr)
        throw ArgumentError("argument '" + program_.signature().parameters[index].name + "' of kernel '" +
                            program_.signature().kernel + "' is given twice; give it once");
    given_[index] = value;
}

void BoundNames::keyword(PyObject* name, PyObject* value) {
    std::size_t count = program_.count();
    std::size_t i = 0;
    while (i < count && program_.name(i) != name) ++i;  // names are interned: pointers agree
    if (i == count) {
        i = 0;
        while (i < count && PyUnicode_Compare(program_.name(i), name) != 0) ++i;
    }
    if (i < count && is_callers(program_.signature().parameters[i])) return put(i, value);
    std::string text = escaped_text(name);
    if (text == "layout" && program_.layout_is_option()) {
        layout_ = axis_of(value, program_.signature().kernel);
        return;
    }
    throw ArgumentError(eagle::marshal::unknown_argument_text(program_.signature(), text));
}

}  // namespace hawk::native
