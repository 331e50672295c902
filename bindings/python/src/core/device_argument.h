// Arrays of other libraries that lie on a device, as arguments.
#pragma once
#include <ArrayImport.h>
#include <eagle/Interop.h>
#include <eagle/Plan.h>

#include <cstdint>
#include <memory>

namespace eagle::python {

struct DeviceArgument {
    ArgumentValue value;
    // The stream that its library puts work on now, raw; none where the library does not tell: the memory is then in
    // the order of the device's default stream, and free the moment that the library hears that it is not used.
    StreamCode stream;
};

// `in` is what import_array() made of an array that is not on the host; its memory comes in, which `object` and `in`
// keep there. The stream is that of DeviceArgument. Throws what import_from_device() throws.
StreamCode import_memory(PyObject* object, const Subject& subject, bool written, Import& in);

// `in` is what import_argument() made of an array that is not on the host. The memory lives as long as the value is
// bound. Throws BackendUnavailable where the kind that serves it is not there, BufferRefused and InteropError as
// import_argument() does.
DeviceArgument import_from_device(PyObject* object, const Subject& subject, bool written, Import& in);

// A share of an object and of what it pinned, which any thread may drop, without the GIL too. Called with it.
std::shared_ptr<void> owner_of(PyObject* object, Hold hold);

// Is a backend for that DLPack device type loaded, or installed so that it can be? Called without the GIL.
bool is_served(std::int32_t device_type);

// The raw stream that a caller names: an int from 0 on, or a stream of CuPy or torch; None is 0. Throws ArgumentError
// naming `who` for anything else.
std::uint64_t raw_stream(PyObject* stream, const char* who);

}  // namespace eagle::python
