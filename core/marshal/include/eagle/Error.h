// What eagle throws. Each class is the C++ side of one Python exception; the text says what happened, the value found,
// the value needed and the next step, in that order.
#pragma once
#include <eagle/export.h>

#include <stdexcept>
#include <string>

namespace eagle {

// The base of everything eagle throws. Python: RuntimeError.
class EAGLE_API Error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// No backend, no device, or a group or symbol that the backend does not provide. Python: eagle.BackendUnavailable
// (RuntimeError).
class EAGLE_API BackendUnavailable : public Error {
  public:
    using Error::Error;
};

// The group is there; this option, flag, field or type of it is not. Python: eagle.Unsupported (RuntimeError).
class EAGLE_API Unsupported : public Error {
  public:
    using Error::Error;
};

// A second entry into an object that serves one caller at a time. Python: eagle.Busy (RuntimeError).
class EAGLE_API Busy : public Error {
  public:
    using Error::Error;
};

// A null, consumed or stale handle. Python: eagle.BadHandle (RuntimeError).
class EAGLE_API BadHandle : public Error {
  public:
    using Error::Error;
};

// Memory of the host or of a device ran out. Python: eagle.OutOfMemory (MemoryError).
class EAGLE_API OutOfMemory : public Error {
  public:
    using Error::Error;
};

// A value that the call cannot take. Python: ValueError.
class EAGLE_API InvalidArgument : public Error {
  public:
    using Error::Error;
};

// A missing, unknown or duplicate argument name, or a value of a kind that never fits. Python: TypeError.
class EAGLE_API ArgumentError : public Error {
  public:
    using Error::Error;
};

// An index outside its range, in a call or in a kernel. Python: IndexError.
class EAGLE_API IndexError : public Error {
  public:
    using Error::Error;
};

// An integer division by zero, or its one overflowing quotient, inside a kernel. Python: ZeroDivisionError,
// OverflowError.
class EAGLE_API DivisionFault : public Error {
  public:
    DivisionFault(const std::string& text, bool overflow) : Error(text), overflow_(overflow) {}
    bool overflow() const { return overflow_; }

  private:
    bool overflow_;
};

// The shape or layout of an array. Python: eagle.LayoutError (ValueError).
class EAGLE_API LayoutError : public InvalidArgument {
  public:
    using InvalidArgument::InvalidArgument;
};

// A property of an array (dtype, writability, alignment, byte order, device). Python: eagle.BufferRefused (ValueError).
class EAGLE_API BufferRefused : public InvalidArgument {
  public:
    using InvalidArgument::InvalidArgument;
};

// The DLPack or stream contract. Python: eagle.InteropError (ValueError).
class EAGLE_API InteropError : public InvalidArgument {
  public:
    using InvalidArgument::InvalidArgument;
};

}  // namespace eagle
