// hawk._native: a compiled kernel that Python calls with as little as possible in between.
//
// Two objects make it up.
//
// Program (immutable, shared) is a loaded file with what it takes:
//
//     Program(path,                    # str, bytes or os.PathLike of the .so; opened with RTLD_NOW | RTLD_LOCAL
//             entry="scale_step",      # v2 host entry: void (void* const* params, i64 base, i64 count, i64 n_samples)
//             kernel="scale",          # the name that errors use
//             scalar="float64",        # scalar_type
//             parameters=[(name, role, dtype, rows, cols, vector_view, matrix, prior), ...],   # arg_spec order
//             order=["x", "a", "b"],   # names that may be given by position, in declaration order; others by keyword
//             result="one",            # of the `out` planes: "none", "one", "tuple" or "dict"
//             outputs=[("out", None)], # (plane, key): in the order of the result; the key is used by "dict"
//             abi="aether-abi/2",      # what eagle_abi_tag must say
//             terminated_readonly=False,
//             finish_mask="",
//             ns_per_sample=0.0,       # cost hint for the GIL; 0: not known, then it is measured
//             quantities=[("a", ["a_s", "a_c"])])   # arguments on several planes, given all or none
//
// Kernel is the callable, made to be subclassed. Its call is a vectorcall, in subclasses too (do not override
// __call__):
//
//     class Kernel(_native.Kernel):
//         def _compile(self) -> None:             # asked at the first call, on the calling thread; may be asked by
//             self._install(Program(...))         # several threads at once; from then on calls go to the entry
//
//     kernel(x, 2.0)                              # outputs allocated: NumPy arrays, or NumPy scalars for one sample
//     kernel(x, 2.0, out=z)                       # written in place, and returned
//     kernel(x, 2.0, layout="samples_first")
//
// `Kernel._program` is the installed Program or None. Arguments of a device other than the host go to the hook set by
// set_device_hook(callable): hook(kernel, args: tuple, kwargs: dict, device_type: int, device_id: int), whose result is
// the call's; without one they are refused naming the device.
//
// set_recorder(callable) takes every call of a kernel on this thread: recorder(kernel, args: tuple, kwargs: dict).
// Nothing is compiled or run then.
#pragma once
#include <Python.h>

#include <string>

namespace hawk::native {

class Program;

// The type Kernel of the module `module_name`, a new reference; null with Python's error set.
PyObject* make_kernel_type(const std::string& module_name);
// The Program behind an object of the Python class Program, or null when it is something else.
using ProgramOf = const Program* (*)(PyObject*);
void set_program_of(ProgramOf program_of);

}  // namespace hawk::native
