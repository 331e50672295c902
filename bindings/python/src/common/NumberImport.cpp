// Python and NumPy numbers.
#include <eagle/Error.h>

#include <string>

#include "ArrayImport.h"
#include "TypeRoutes.h"

namespace eagle::python {
namespace {

std::int64_t to_int64(PyObject* object, const Subject& subject) {
    Reference index = Reference::own(PyNumber_Index(object));
    int overflow = 0;
    std::int64_t value = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
    if (overflow != 0)
        throw InvalidArgument(subject.text() +
                              " is an integer outside 64 bits; it needs a value from "
                              "-9223372036854775808 to 9223372036854775807: give a float");
    if (value == -1 && PyErr_Occurred() != nullptr) throw PythonError{};
    return value;
}

double to_double(PyObject* object) {
    double value = PyFloat_AsDouble(object);
    if (value == -1.0 && PyErr_Occurred() != nullptr) throw PythonError{};
    return value;
}

std::int64_t to_bool(PyObject* object) {
    int truth = PyObject_IsTrue(object);
    if (truth < 0) throw PythonError{};
    return truth;
}

}  // namespace

bool import_number(PyObject* object, const Subject& subject, marshal::Value& into) {
    if (PyFloat_CheckExact(object)) {
        into = PyFloat_AsDouble(object);
        return true;
    }
    switch (RoutesOf(Py_TYPE(object))->number) {
        case NumberKind::none:
        case NumberKind::other:
            return false;
        case NumberKind::integer:
            into = to_int64(object, subject);
            return true;
        case NumberKind::floating:
            into = to_double(object);
            return true;
        case NumberKind::boolean:
            into = to_bool(object);
            return true;
        case NumberKind::complex:
            break;
    }
    throw InvalidArgument(subject.text() + " is a complex number; it needs a real one: pass x.real or abs(x)");
}

}  // namespace eagle::python
