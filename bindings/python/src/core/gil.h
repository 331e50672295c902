// When to give up the GIL, and how a long call looks for Ctrl-C.
#pragma once
#include <Gil.h>
#include <nanobind/nanobind.h>

namespace eagle::python {

// Below this, giving up the GIL beside a busy Python thread costs more than holding it.
constexpr double worth_releasing = 100e-6;

// Around one call into eagle: without the GIL when the call is expected to take long (negative: not known), and asking
// for signals whenever the call polls.
class LongCall {
  public:
    explicit LongCall(double expected_seconds)
        : may_be_long_(!(expected_seconds >= 0 && expected_seconds <= worth_releasing)) {
        if (may_be_long_) release();
    }
    ~LongCall() { hold(); }
    LongCall(const LongCall&) = delete;
    LongCall& operator=(const LongCall&) = delete;

    // Whether the call is worth the clock readings that polling costs.
    bool may_be_long() const { return may_be_long_; }
    // An eagle::Poll: true when a signal handler raised; the Python error is then set and the GIL held.
    bool poll() {
        hold();
        if (PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0) return true;
        release();
        return false;
    }
    void hold() {
        if (state_ != nullptr) take_back(state_);
        state_ = nullptr;
    }
    void release() {
        if (state_ == nullptr) state_ = PyEval_SaveThread();
    }

  private:
    bool may_be_long_;
    PyThreadState* state_ = nullptr;
};

}  // namespace eagle::python
