// The interpreter's lock, given up and taken.
//
// A daemon thread outlives the interpreter. When it asks for the lock then, Python 3.13 and before end it by unwinding
// its stack, which C++ does not survive where a destructor asks; 3.14 lets it stand still. Here it always stands still,
// until the process ends.
#pragma once
#include <Python.h>
#include <cxxabi.h>
#include <unistd.h>

namespace eagle::python {

// Runs `call`, which asks for the lock, or runs Python, which does.
template <class Call>
void standing_still_at_the_end(const Call& call) {
    try {
        call();
    } catch (const abi::__forced_unwind&) {
        for (;;) ::pause();
    }
}

inline void take_back(PyThreadState* state) {
    standing_still_at_the_end([state] { PyEval_RestoreThread(state); });
}

// The lock is given up while it lives.
class WithoutGil {
  public:
    WithoutGil() : state_(PyEval_SaveThread()) {}
    ~WithoutGil() { take_back(state_); }
    WithoutGil(const WithoutGil&) = delete;
    WithoutGil& operator=(const WithoutGil&) = delete;

  private:
    PyThreadState* state_;
};

// The lock is held while it lives, by a thread that may or may not hold it already. It needs an interpreter.
class WithGil {
  public:
    WithGil() {
        standing_still_at_the_end([this] { state_ = PyGILState_Ensure(); });
    }
    ~WithGil() { PyGILState_Release(state_); }
    WithGil(const WithGil&) = delete;
    WithGil& operator=(const WithGil&) = delete;

  private:
    PyGILState_STATE state_{};
};

}  // namespace eagle::python
