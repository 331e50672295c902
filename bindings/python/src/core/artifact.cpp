// Artifact, Kernel and Parameter.
#include "artifact.h"

#include <Gil.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "graph.h"
#include "module.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

HeldKernel kernel_of(const Artifact& artifact, const std::optional<std::string>& name, const std::string& kind) {
    if (name) return {artifact.kernel(*name, kind), artifact.folder()};
    const std::vector<std::string> names = artifact.kernels();
    if (names.size() == 1) return {artifact.kernel(names.front(), kind), artifact.folder()};
    return {artifact.kernel(), artifact.folder()};
}

HeldKernel built_by(const HeldKernel& kernel, nb::object builder) {
    auto call = std::make_shared<Callable>(std::move(builder));
    return {kernel.kernel.built_by([call](const std::string& kind) {
                const WithGil held;
                return nb::cast<std::filesystem::path>(call->function()(kind));
            }),
            kernel.folder};
}

// Every file of the folder that its kernels need, manifest first.
std::vector<std::string> files_of(const Artifact& artifact) {
    std::vector<std::string> files = {"manifest.json"};
    for (const PluginRecord& record : artifact.manifest().plugins)
        for (const std::string& file : {record.sidecar, record.artifact})
            if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    return files;
}

nb::tuple shape_of(const Parameter& parameter) {
    if (parameter.matrix) return nb::make_tuple(parameter.rows, parameter.cols);
    if (parameter.width() > 1 || parameter.role == Role::vec_in) return nb::make_tuple(parameter.rows);
    return nb::make_tuple();
}

std::string parameter_text(const Parameter& p) {
    std::ostringstream text;
    text << "Parameter(" << p.name << ": " << role_name(p.role) << " " << dtype_name(p.dtype);
    if (p.matrix)
        text << "[" << p.rows << ", " << p.cols << "]";
    else if (p.width() > 1)
        text << "[" << p.rows << "]";
    text << ")";
    return text.str();
}

void bind_artifact_class(nb::module_& module) {
    nb::class_<Artifact>(module, "Artifact",
                         "An artifact folder, read and validated whole; no kernel file is opened before a kernel is "
                         "asked for.")
        .def_static("load", &Artifact::load, "folder"_a,
                    "Reads the folder. ValueError says what is wrong and in which file.")
        .def_prop_ro("folder", [](const Artifact& a) { return a.folder(); })
        .def_prop_ro("kernels", &Artifact::kernels, "Names of the kernels, in the manifest's order.")
        .def_prop_ro("schema_version", [](const Artifact& a) { return a.manifest().schema_version; })
        .def_prop_ro("exec_access", [](const Artifact& a) { return a.manifest().exec_access; })
        .def_prop_ro("files", &files_of, "Names of the files that the folder's kernels need.")
        .def("kernel", &kernel_of, nb::call_guard<WithoutGil>(), "name"_a = nb::none(), "kind"_a = "cpu",
             "The kernel of that name (the only one by default), its file loaded through the backend of `kind`.")
        .def("__repr__", [](const Artifact& a) {
            const std::string text = "<eagle.Artifact " + a.folder().string() + ">";  // a name need not be UTF-8
            return nb::steal<nb::str>(
                PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace"));
        });
}

void bind_parameter(nb::module_& module) {
    nb::class_<Parameter>(module, "Parameter", "One argument of a kernel, as its sidecar declares it.")
        .def_ro("name", &Parameter::name)
        .def_prop_ro(
            "role", [](const Parameter& p) { return std::string(role_name(p.role)); },
            "`out`, `mutable`, `per_sample`, `vec_in`, `mat_in`, `terminated`, `uniform`, ...")
        .def_prop_ro("dtype", [](const Parameter& p) { return std::string(dtype_name(p.dtype)); })
        .def_prop_ro("shape", &shape_of, nb::sig("def shape(self) -> tuple[int, ...]"), "Shape of one sample's value.")
        .def_ro("prior", &Parameter::prior, "A mutable that the kernel reads before it writes it.")
        .def_prop_ro("supplied", &Parameter::supplied, "Given by the loader, never by the caller.")
        .def("__repr__", &parameter_text);
}

}  // namespace

void bind_artifact(nb::module_& module) {
    bind_artifact_class(module);
    bind_parameter(module);
    nb::class_<HeldKernel>(module, "Kernel",
                           "A kernel ready to launch. Immutable and re-entrant; pickles with the contents of its "
                           "artifact.")
        .def_prop_ro("name", [](const HeldKernel& k) { return k.kernel.name(); })
        .def_prop_ro("kind", [](const HeldKernel& k) { return k.kernel.backend().kind(); })
        .def_prop_ro(
            "folder", [](const HeldKernel& k) { return k.folder; }, "The artifact it came from.")
        .def_prop_ro("exec_access", [](const HeldKernel& k) { return k.kernel.access(); })
        .def_prop_ro(
            "finishes", [](const HeldKernel& k) { return k.kernel.finishes(); },
            "Whether it ends its samples by itself, so that simulate can run it.")
        .def_prop_ro(
            "parameters", [](const HeldKernel& k) { return k.kernel.signature().parameters; },
            "Its arguments, in packing order.")
        .def(
            "built_by", &built_by, "builder"_a,
            nb::sig("def built_by(self, builder: collections.abc.Callable[[str], str | os.PathLike[str]]) -> Kernel"),
            "The same kernel; `builder(kind)` writes an artifact with a file for a kind that its own has none for, and "
            "returns its folder.")
        .def("__reduce__",
             [](nb::object self) { return nb::module_::import_("eagle._pickle").attr("reduce_kernel")(self); })
        .def("__repr__", [](const HeldKernel& k) {
            return "<eagle.Kernel " + k.kernel.name() + " on " + k.kernel.backend().kind() + ">";
        });
}

}  // namespace eagle::python
