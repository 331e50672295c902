// Texts of Python strings.
#pragma once
#include <Python.h>

#include <string>

namespace eagle::python {

// UTF-8 of a str, for words and for looking up names: what UTF-8 has no code for, half of a surrogate pair, is written
// as Python writes it, `\ud800`. Throws PythonError where memory runs out.
std::string escaped_text(PyObject* string);

}  // namespace eagle::python
