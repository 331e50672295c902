#include "Exceptions.h"

#include <mutex>
#include <new>
#include <string_view>
#include <vector>

namespace eagle::python {
namespace {

struct Entry {
    Matcher matches;
    const char* module;
    const char* name;
};

template <class E>
bool is(const std::exception& e) {
    return dynamic_cast<const E*>(&e) != nullptr;
}

bool is_overflow(const std::exception& e) {
    auto* fault = dynamic_cast<const DivisionFault*>(&e);
    return fault != nullptr && fault->overflow();
}

// From base to derived: the last that matches wins.
std::vector<Entry>& entries() {
    static std::vector<Entry> table = {
        {[](const std::exception&) { return true; }, "builtins", "RuntimeError"},
        {is<std::bad_alloc>, "builtins", "MemoryError"},
        {is<OutOfMemory>, "builtins", "MemoryError"},
        {is<InvalidArgument>, "builtins", "ValueError"},
        {is<ArgumentError>, "builtins", "TypeError"},
        {is<eagle::IndexError>, "builtins", "IndexError"},
        {is<DivisionFault>, "builtins", "ZeroDivisionError"},
        {is_overflow, "builtins", "OverflowError"},
        {is<LayoutError>, "raptor.errors", "LayoutError"},
        {is<BufferRefused>, "raptor.errors", "BufferRefused"},
        {is<InteropError>, "raptor.errors", "InteropError"},
    };
    return table;
}

std::mutex& entries_lock() {
    static std::mutex lock;
    return lock;
}

Entry entry_for(const std::exception& e) {
    std::lock_guard<std::mutex> guard(entries_lock());
    Entry best = entries().front();
    for (const Entry& entry : entries())
        if (entry.matches(e)) best = entry;
    return best;
}

void raise(const std::exception& e) {
    Entry entry = entry_for(e);
    Reference module = Reference::own(PyImport_ImportModule(entry.module));
    Reference type = Reference::own(PyObject_GetAttrString(module.get(), entry.name));
    // Names of files are bytes, and need not be UTF-8.
    const std::string_view said = e.what();
    Reference text =
        Reference::own(PyUnicode_DecodeUTF8(said.data(), static_cast<Py_ssize_t>(said.size()), "backslashreplace"));
    PyErr_SetObject(type.get(), text.get());
}

}  // namespace

void map_error(Matcher matches, const char* module, const char* name) {
    std::lock_guard<std::mutex> guard(entries_lock());
    entries().push_back({matches, module, name});
}

void add_note(const char* text) noexcept {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject* const noted = PyObject_CallMethod(value, "add_note", "s", text);
    if (noted == nullptr) PyErr_Clear();
    Py_XDECREF(noted);
    PyErr_Restore(type, value, trace);
}

void set_python_error() noexcept {
    try {
        throw;
    } catch (const PythonError&) {
        // the indicator is set
    } catch (const std::exception& e) {
        if (PyErr_Occurred() != nullptr) return add_note(e.what());
        try {
            raise(e);
        } catch (const PythonError&) {
            // the class could not be imported: that error stands
        } catch (...) {
            PyErr_NoMemory();
        }
    } catch (...) {
        if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_RuntimeError, "an exception of unknown type");
    }
}

}  // namespace eagle::python
