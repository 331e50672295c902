// Which Python exception each C++ exception becomes.
#pragma once
#include <Python.h>
#include <eagle/Error.h>

#include <exception>

#include "Reference.h"

namespace eagle::python {

// Sets Python's error indicator from the exception being handled; call it inside catch (...) and return null.
//
//     eagle::LayoutError, BufferRefused, InteropError   raptor.errors, same names (ValueError)
//     eagle::InvalidArgument                            ValueError
//     eagle::ArgumentError                              TypeError
//     eagle::IndexError                                 IndexError
//     eagle::DivisionFault                              ZeroDivisionError, or OverflowError
//     eagle::OutOfMemory, std::bad_alloc                MemoryError
//     PythonError                                       the indicator as it stands
//     other eagle::Error, std::exception                RuntimeError
//
// Where an error is set already, by a signal handler or a callback, that one stands, and what is handled becomes a note
// in it.
//
// A module that has a class of its own for one of them says so with map_error(); a later entry goes before an earlier
// one, so that derived classes are named after their bases.
void set_python_error() noexcept;

// Adds a note to the error that is set.
void add_note(const char* text) noexcept;

using Matcher = bool (*)(const std::exception&);
// `module`.`name` is imported when the first such error is raised. Both must live as long as the process.
void map_error(Matcher matches, const char* module, const char* name);

template <class E>
void map_error(const char* module, const char* name) {
    map_error([](const std::exception& e) { return dynamic_cast<const E*>(&e) != nullptr; }, module, name);
}

}  // namespace eagle::python
