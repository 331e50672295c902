// hawk._native: the frame of the module.
#include <eagle/Error.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "Call.h"
#include "Cards.h"
#include "Ending.h"
#include "Exceptions.h"
#include "Gil.h"
#include "Kernel.h"
#include "Nvrtc.h"
#include "Program.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace hawk::native {
namespace {

using eagle::InvalidArgument;
using eagle::python::Reference;
using ParameterTuple =
    std::tuple<std::string, std::string, std::string, std::uint32_t, std::uint32_t, bool, bool, bool>;

eagle::Dtype dtype_of(const std::string& text, const std::string& where) {
    if (auto dtype = eagle::dtype_from_name(text)) return *dtype;
    throw InvalidArgument("dtype of " + where + " is '" + text +
                          "'; it must be float64, float32, int64, int32, uint32 or bool");
}

eagle::Parameter parameter_of(const ParameterTuple& given) {
    const auto& [name, role, dtype, rows, cols, vector_view, matrix, prior] = given;
    auto known = eagle::role_from_name(role);
    if (!known)
        throw InvalidArgument("role of parameter '" + name + "' is '" + role + "'; it must be a role of arg_spec");
    if (rows == 0 || cols == 0)
        throw InvalidArgument("parameter '" + name + "' has " + std::to_string(rows) + " rows and " +
                              std::to_string(cols) + " columns; it needs at least 1 of each");
    return {name, *known, dtype_of(dtype, "parameter '" + name + "'"), rows, cols, vector_view, matrix, prior};
}

std::string path_of(nb::handle path) {
    PyObject* bytes = nullptr;
    if (PyUnicode_FSConverter(path.ptr(), &bytes) == 0) throw nb::python_error();
    nb::object owned = nb::steal(bytes);
    return PyBytes_AS_STRING(bytes);
}

void make_program(Program* at, nb::handle path, const std::string& entry, const std::string& kernel,
                  const std::string& scalar, const std::vector<ParameterTuple>& parameters,
                  std::vector<std::string> order, const std::string& result,
                  const std::vector<std::pair<std::string, nb::object>>& outputs, const std::string& abi,
                  bool terminated_readonly, const std::string& finish_mask, double ns_per_sample,
                  std::vector<std::pair<std::string, std::vector<std::string>>> quantities) {
    Description d;
    d.path = path_of(path);
    d.entry = entry;
    d.kernel = kernel;
    d.scalar = dtype_of(scalar, "kernel '" + kernel + "'");
    for (const ParameterTuple& p : parameters) d.parameters.push_back(parameter_of(p));
    d.order = std::move(order);
    d.result = result;
    for (const auto& [plane, key] : outputs) d.outputs.emplace_back(plane, Reference::borrow(key.ptr()));
    d.abi = abi;
    d.terminated_readonly = terminated_readonly;
    d.finish_mask = finish_mask;
    d.ns_per_sample = ns_per_sample;
    d.quantities = std::move(quantities);
    new (at) Program(std::move(d));
}

const Program* program_behind(PyObject* object) {
    const Program* program = nullptr;
    return nb::try_cast(nb::handle(object), program) ? program : nullptr;
}

void define_program(nb::module_& m) {
    nb::class_<Program>(m, "Program", "A loaded kernel file with what the kernel takes and gives. Immutable.")
        .def("__init__", make_program, "path"_a, nb::kw_only(), "entry"_a, "kernel"_a, "scalar"_a, "parameters"_a,
             "order"_a, "result"_a, "outputs"_a, "abi"_a = "aether-abi/2", "terminated_readonly"_a = false,
             "finish_mask"_a = "", "ns_per_sample"_a = 0.0,
             "quantities"_a = std::vector<std::pair<std::string, std::vector<std::string>>>{},
             "Opens `path` and checks its interface tag and sizes. Parameters are tuples (name, role, dtype, rows, "
             "cols, vector_view, matrix, prior) in the order of arg_spec; `order` names those that may be given by "
             "position; `result` is none, one, tuple or dict of the `outputs`, pairs (plane, key); `quantities` are "
             "arguments on several planes, pairs (argument, planes), given all or none. Raises ValueError "
             "for a file that is no such kernel, saying which field differs.")
        .def_prop_ro("path", &Program::path)
        .def_prop_ro("kernel", [](const Program& p) { return p.signature().kernel; })
        .def_prop_ro("ns_per_sample", &Program::ns_per_sample,
                     "Nanoseconds a sample by the last call that was timed; 0 when none was.");
}

// The compiler's own threads need no interpreter.
nb::tuple compile_with(const Nvrtc& nvrtc, const std::string& source, const std::string& name,
                       const std::vector<std::string>& options, bool ptx) {
    Nvrtc::Outcome made;
    {
        const eagle::python::WithoutGil released;
        made = nvrtc.compile(source, name, options, ptx);
    }
    nb::object code = nb::none();
    if (made.is_made) code = nb::bytes(made.code.data(), made.code.size());
    return nb::make_tuple(code, made.log);
}

void define_cuda(nb::module_& m) {
    nb::class_<Nvrtc>(m, "Nvrtc", "NVIDIA's run-time compiler in the file that it is made of.")
        .def(nb::init<const std::string&>(), "path"_a, "Opens the file. Raises ValueError with the system's words.")
        .def_prop_ro("version", &Nvrtc::version, "13000 for CUDA 13.0.")
        .def_prop_ro("archs", &Nvrtc::archs, "Compute capabilities that it makes code for, as 90 for 9.0.")
        .def("compile", compile_with, "source"_a, nb::kw_only(), "name"_a, "options"_a, "ptx"_a,
             nb::sig("def compile(self, source: str, *, name: str, options: list[str], ptx: bool) -> "
                     "tuple[bytes | None, str]"),
             "Code (a cubin, or PTX) and what the compiler said; the code is None where it refuses.");
    m.def("cuda_cards", cuda_cards, "library"_a = "libnvidia-ml.so.1",
          "Compute capabilities of this machine's cards, as 90 for 9.0, asked of NVML; nothing is started for it.");
}

}  // namespace
}  // namespace hawk::native

NB_MODULE(_native, m) {
    using namespace hawk::native;
    m.doc() = "Calls of compiled kernels on host arrays: argument checks, launch and results.";
    eagle::python::expect_kept_objects_of_threads(m);
    nb::register_exception_translator([](const std::exception_ptr& raised, void*) {
        try {
            std::rethrow_exception(raised);
        } catch (const eagle::Error&) {
            eagle::python::set_python_error();
        } catch (const eagle::python::PythonError&) {
            eagle::python::set_python_error();
        }
    });
    define_program(m);
    define_cuda(m);
    set_program_of(program_behind);
    nb::object kernel = nb::steal(make_kernel_type(nb::cast<std::string>(m.attr("__name__"))));
    if (!kernel.is_valid()) throw nb::python_error();
    m.attr("Kernel") = kernel;
    m.def(
        "set_device_hook",
        [](nb::object hook) {
            if (!hook.is_none() && PyCallable_Check(hook.ptr()) == 0)
                throw eagle::ArgumentError("the device hook is not callable; it must be a callable or None");
            PyObject* before = exchange_device_hook(hook.is_none() ? nullptr : hook.ptr());
            return before == nullptr ? nb::none() : nb::steal(before);
        },
        "hook"_a.none(),
        "Sets who takes calls whose arrays lie on a device, as hook(kernel, args, kwargs, argument, device_type, "
        "device_id), `argument` being the name of one of them; None: nobody. Returns the one set before.");
    m.def(
        "set_recorder",
        [](nb::object recorder) {
            if (!recorder.is_none() && PyCallable_Check(recorder.ptr()) == 0)
                throw eagle::ArgumentError("the recorder is not callable; it must be a callable or None");
            PyObject* before = exchange_recorder(recorder.is_none() ? nullptr : recorder.ptr());
            return before == nullptr ? nb::none() : nb::steal(before);
        },
        "recorder"_a.none(),
        "Sets who takes the calls of this thread instead of running them, as recorder(kernel, args, kwargs); None: "
        "nobody. Returns the one set before.");
}
