// One call of a compiled kernel.
#pragma once
#include <Python.h>

#include "Program.h"

namespace hawk::native {

// Binds the arguments of a vectorcall, launches, and returns the result (a new reference). Throws what import and
// pack() throw, and what the kernel's fault report says.
PyObject* call(const Program& program, PyObject* kernel, PyObject* const* arguments, std::size_t positional,
               PyObject* keywords);

// What takes the calls of this thread instead of running them: a callable, borrowed, or null.
PyObject* recorder_of_this_thread();
// Sets it; returns the one set before, a new reference.
PyObject* exchange_recorder(PyObject* recorder);
// recorder(kernel, args: tuple, kwargs: dict), whose result is the call's.
PyObject* record(PyObject* recorder, PyObject* kernel, PyObject* const* arguments, std::size_t positional,
                 PyObject* keywords);

// What takes calls whose arrays lie on a device: a callable, or null. Returns the one set before, a new reference.
PyObject* exchange_device_hook(PyObject* hook);

}  // namespace hawk::native
