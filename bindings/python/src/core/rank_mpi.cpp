#include "rank_mpi.h"

#include <Gil.h>

#include <chrono>
#include <thread>

namespace nb = nanobind;

namespace eagle::python {

MpiAllgather::MpiAllgather(nb::handle method, nb::handle in_place, nb::handle byte) {
    held_[0] = nb::borrow(method);
    held_[1] = nb::borrow(in_place);
    held_[2] = nb::borrow(byte);
}

void MpiAllgather::operator()(void* whole, std::span<const std::int64_t> offsets) const {
    const WithGil held;
    const nb::error_scope kept;  // of an interruption, which the other ranks are told of
    const nb::object view = nb::steal(
        PyMemoryView_FromMemory(static_cast<char*>(whole), static_cast<Py_ssize_t>(offsets.back()), PyBUF_WRITE));
    if (!view.is_valid()) throw nb::python_error();
    nb::list counts, displacements, message;
    for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
        counts.append(offsets[r + 1] - offsets[r]);
        displacements.append(offsets[r]);
    }
    for (const nb::handle part :
         {nb::handle(view), nb::handle(counts), nb::handle(displacements), nb::handle(held_[2])})
        message.append(part);
    held_[0](held_[1], message);
    message.clear();
    view.attr("release")();
}

MpiMessages::MpiMessages(nb::handle parts) {
    for (std::size_t i = 0; i < 4; ++i) held_[i] = nb::borrow(parts)[i];
    sent_[0] = nb::list();
}

void MpiMessages::send(int rank, std::span<const std::byte> message) {
    const WithGil held;
    const nb::error_scope kept;
    nb::list sent = nb::borrow<nb::list>(sent_[0]);
    for (std::size_t left = nb::len(sent); left > 0; --left) {
        const nb::object first = sent.attr("pop")(0);
        if (!nb::cast<bool>(first.attr("Test")())) sent.append(first);
    }
    sent.append(held_[0](nb::bytes(message.data(), message.size()), rank, held_[3]));
}

bool MpiMessages::receive(std::span<std::byte> message) {
    const WithGil held;
    const nb::error_scope kept;
    const nb::object found = held_[1](held_[2], held_[3]);
    if (found.is_none()) return false;
    const nb::object view = nb::steal(PyMemoryView_FromMemory(reinterpret_cast<char*>(message.data()),
                                                              static_cast<Py_ssize_t>(message.size()), PyBUF_WRITE));
    if (!view.is_valid()) throw nb::python_error();
    found.attr("Recv")(view);
    view.attr("release")();
    return true;
}

// What a handler raised stays set. Of two it is the last.
bool MpiMessages::interrupted() {
    const WithGil held;
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    if (PyErr_CheckSignals() == 0) {
        PyErr_Restore(type, value, trace);
        return false;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return true;
}

void MpiMessages::pause(double seconds) {
    const auto rest = [seconds] {
        if (seconds > 0)
            std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        else
            std::this_thread::yield();
    };
    if (seconds <= 0 || PyGILState_Check() == 0) return rest();
    const WithoutGil released;
    rest();
}

}  // namespace eagle::python
