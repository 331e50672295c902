// Names that Python code refuses in the words of libeagle.
#include <StringText.h>
#include <eagle/marshal/NameText.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "module.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

std::string nearest_text(const nb::str& wanted, const nb::iterable& names) {
    std::vector<std::string> known;
    for (const nb::handle name : names) known.push_back(escaped_text(name.ptr()));
    return marshal::nearest_text(escaped_text(wanted.ptr()), known);
}

}  // namespace

void bind_names(nb::module_& module) {
    module.def(
        "nearest_text", &nearest_text, "wanted"_a, "names"_a,
        nb::sig("def nearest_text(wanted: str, names: collections.abc.Iterable[str]) -> str"),
        "\"; the nearest name is 'omega'\" where one of `names` is one or two slips of a key away; else nothing.");
    module.def(
        "shortened", [](const nb::str& text) { return marshal::shortened(escaped_text(text.ptr())); }, "text"_a,
        nb::sig("def shortened(text: str) -> str"), "For an error: at most 60 bytes.");
}

}  // namespace eagle::python
