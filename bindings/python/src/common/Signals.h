// Signals on threads that Python does not know.
#pragma once
#include <Python.h>
#include <pthread.h>
#include <signal.h>

namespace eagle::python {

// The signals that this thread blocks.
inline sigset_t blocked_signals() {
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    return blocked;
}

// While it lives, a thread that Python does not know blocks these and no others. A thread of a backend's may block
// every signal, and code of Python's is not written for that: what it sends to its own thread, as signal.raise_signal()
// does, would stay pending for ever, and so would what is sent to a process that it starts, which blocks the same.
class SignalsAs {
  public:
    explicit SignalsAs(const sigset_t& blocked) : is_unknown_(PyGILState_GetThisThreadState() == nullptr) {
        if (is_unknown_) pthread_sigmask(SIG_SETMASK, &blocked, &before_);
    }
    ~SignalsAs() {
        if (is_unknown_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    SignalsAs(const SignalsAs&) = delete;
    SignalsAs& operator=(const SignalsAs&) = delete;

  private:
    const bool is_unknown_;
    sigset_t before_{};
};

}  // namespace eagle::python
