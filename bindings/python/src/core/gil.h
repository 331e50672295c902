// When to give up the GIL, and how a long call looks for Ctrl-C.
#pragma once
#include <Gil.h>
#include <nanobind/nanobind.h>

#include <optional>
#include <utility>

namespace eagle::python {

// Below this, giving up the GIL beside a busy Python thread costs more than holding it.
constexpr double worth_releasing = 100e-6;

// Around one call into eagle: without the GIL when the call is expected to take long (negative: not known), and asking
// for signals whenever the call polls.
//
// What a signal handler or a callback raises is put by, and is set as Python's error when the call ends: until then the
// call may still wait for work whose end needs the GIL, and run other code of Python, which an error that is set would
// confuse.
class LongCall {
  public:
    explicit LongCall(double expected_seconds)
        : may_be_long_(!(expected_seconds >= 0 && expected_seconds <= worth_releasing)) {
        if (may_be_long_) release();
    }
    ~LongCall() { end(); }
    LongCall(const LongCall&) = delete;
    LongCall& operator=(const LongCall&) = delete;

    // Whether the call is worth the clock readings that polling costs.
    bool may_be_long() const { return may_be_long_; }
    // An eagle::Poll: true when a signal handler or a callback raised.
    bool poll() {
        hold();
        if (!raised_ && (PyErr_Occurred() != nullptr || PyErr_CheckSignals() != 0)) raised_.emplace();
        const bool stops = raised_.has_value();
        release();
        return stops;
    }
    // Does `body` with the GIL held, unless something was raised before.
    template <class Body>
    void call_back(const Body& body) {
        hold();
        if (!raised_) {
            try {
                standing_still_at_the_end(body);
            } catch (nanobind::python_error& error) {
                raised_.emplace(std::move(error));
            } catch (...) {
                release();
                throw;
            }
        }
        release();
    }
    // The call is over: the GIL is held, and what was raised is set as the error.
    void end() {
        hold();
        if (!raised_) return;
        if (PyErr_Occurred() == nullptr) raised_->restore();
        raised_.reset();
    }
    void release() {
        if (state_ == nullptr) state_ = PyEval_SaveThread();
    }

  private:
    void hold() {
        if (state_ != nullptr) take_back(state_);
        state_ = nullptr;
    }

    bool may_be_long_;
    PyThreadState* state_ = nullptr;
    std::optional<nanobind::python_error> raised_;
};

}  // namespace eagle::python
