#include "StringText.h"

#include "Reference.h"

namespace eagle::python {

std::string escaped_text(PyObject* string) {
    const Reference bytes = Reference::own(PyUnicode_AsEncodedString(string, "utf-8", "backslashreplace"));
    return {PyBytes_AS_STRING(bytes.get()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.get()))};
}

}  // namespace eagle::python
