#include "Warnings.h"

namespace eagle::python {

void warn(const marshal::Notice& notice, int stacklevel) {
    bool layout = notice.kind == marshal::Notice::Kind::layout;
    Reference module = Reference::own(PyImport_ImportModule("raptor.errors"));
    Reference category =
        Reference::own(PyObject_GetAttrString(module.get(), layout ? "LayoutWarning" : "PerformanceWarning"));
    if (PyErr_WarnEx(category.get(), notice.text.c_str(), stacklevel) != 0) throw PythonError{};
}

}  // namespace eagle::python
