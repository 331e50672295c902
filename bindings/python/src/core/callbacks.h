// Python functions that a long call calls back, and what they leave behind.
#pragma once
#include <eagle/Error.h>
#include <nanobind/nanobind.h>

#include <atomic>
#include <string>

#include "gil.h"

namespace eagle::python {

// One call at a time. After one that raised none is called, and the poll says stop.
class CallingBack {
  public:
    // An eagle::Poll.
    bool poll() { return running_.load()->poll(); }
    template <class Body>
    void call(const Body& body) {
        running_.load()->call_back(body);
    }

  private:
    friend class Entry;
    std::atomic<LongCall*> running_{nullptr};
};

// Marks the one call that functions are called back from. Throws Busy when there is another; `what` is running.
class Entry {
  public:
    Entry(CallingBack& callbacks, LongCall& call, const char* what) : callbacks_(callbacks) {
        LongCall* nobody = nullptr;
        if (!callbacks.running_.compare_exchange_strong(nobody, &call))
            throw Busy(std::string(what) +
                       " is running already; it serves one caller at a time, so prepare one for each");
    }
    ~Entry() { callbacks_.running_.store(nullptr); }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

  private:
    CallingBack& callbacks_;
};

// The error that a signal handler or a callback left behind, or None.
inline nanobind::object left_behind() {
    if (PyErr_Occurred() == nullptr) return nanobind::none();
    nanobind::python_error error;
    return nanobind::borrow(error.value());
}

}  // namespace eagle::python
