#include "rank_mpi.h"

#include <Gil.h>
#include <eagle/Error.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace nb = nanobind;

namespace eagle::python {

MpiAllgather::MpiAllgather(nb::handle method, nb::handle in_place, nb::handle byte) {
    held_[0] = nb::borrow(method);
    held_[1] = nb::borrow(in_place);
    held_[2] = nb::borrow(byte);
}

// By the truth of a communicator of mpi4py, which is written in C: no signal handler of Python runs meanwhile.
void require_communicator(nb::handle comm) {
    const int is_one = PyObject_IsTrue(comm.ptr());
    if (is_one < 0) throw nb::python_error();
    if (is_one == 0)
        throw BadHandle(
            "comm is a null communicator: MPI.COMM_NULL, or one after its Free(); RankPartition needs one that its "
            "processes share: give MPI.COMM_WORLD, or free it when the partition is not used any more");
}

std::function<void()> MpiAllgather::prepared(void* whole, std::span<const std::int64_t> offsets) const {
    const WithGil held;
    const nb::error_scope kept;  // of an interruption, which the other ranks are told of
    const nb::object comm = nb::getattr(held_[0], "__self__", nb::none());
    if (!comm.is_none()) require_communicator(comm);
    const auto arguments = std::make_shared<HeldObjects<4>>();
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
    (*arguments)[0] = held_[0];
    (*arguments)[1] = held_[1];
    (*arguments)[2] = message;
    (*arguments)[3] = view;
    return [arguments] {
        const WithGil held_too;
        const nb::error_scope kept_too;
        HeldObjects<4>& given = *arguments;
        const nb::object done =
            nb::steal(PyObject_CallFunctionObjArgs(given[0].ptr(), given[1].ptr(), given[2].ptr(), nullptr));
        if (!done.is_valid()) throw nb::python_error();
        nb::borrow<nb::list>(given[2]).clear();
        given[3].attr("release")();
    };
}

MpiMessages::MpiMessages(nb::handle parts, std::shared_ptr<const MpiAllgather> allgather)
    : allgather_(std::move(allgather)) {
    for (std::size_t i = 0; i < 4; ++i) held_[i] = nb::borrow(parts)[i];
    sent_[0] = nb::list();
    view_[0] = nb::steal(PyMemoryView_FromMemory(reinterpret_cast<char*>(letter_), size, PyBUF_WRITE));
    if (!view_[0].is_valid()) throw nb::python_error();
}

// A message whose request could not be kept would be sent a second time, so there is a place for it first.
void MpiMessages::send(int rank, std::span<const std::byte> message) {
    const WithGil held;
    const nb::error_scope kept;
    const nb::list sent = nb::borrow<nb::list>(sent_[0]);
    for (std::size_t i = nb::len(sent); i-- > 0;)
        if (sent[i].is_none() || nb::cast<bool>(sent[i].attr("Test")())) nb::del(sent[i]);
    sent.attr("append")(nb::none());
    sent[nb::len(sent) - 1] = held_[0](nb::bytes(message.data(), message.size()), rank, held_[3]);
}

// A message that has been matched is taken out, with all that it needs at hand.
bool MpiMessages::receive(std::span<std::byte> message) {
    const WithGil held;
    const nb::error_scope kept;
    const nb::object found = held_[1](held_[2], held_[3]);
    if (found.is_none()) return false;
    found.attr("Recv")(view_[0]);
    std::copy_n(letter_, message.size(), message.begin());
    return true;
}

std::function<void()> MpiMessages::prepared(void* whole, std::span<const std::int64_t> offsets) {
    return allgather_ ? allgather_->prepared(whole, offsets) : std::function<void()>();
}

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
