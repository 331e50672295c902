// Backends: what is installed, what is loaded, and why not.
#include <Gil.h>
#include <eagle/Backend.h>
#include <eagle/Cards.h>
#include <eagle/DeviceTypes.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "device_argument.h"
#include "module.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace eagle::python {

namespace {

// Bits 13 and 14 of the seam's capabilities.
constexpr std::uint64_t cap_conditional_if_else = std::uint64_t{1} << 13;
constexpr std::uint64_t cap_conditional_switch = std::uint64_t{1} << 14;

constexpr std::array groups = {Group::stream, Group::capturer, Group::captured,    Group::fork,
                               Group::graph,  Group::launcher, Group::conditional, Group::attribution,
                               Group::exec,   Group::device,   Group::interop,     Group::filtering};

nb::dict attempt_dict(const LoadAttempt& attempt) {
    nb::dict made;
    made["kind"] = attempt.kind;
    made["path"] = attempt.path;
    made["source"] = attempt.source;
    made["outcome"] = attempt.outcome;
    made["system"] = attempt.system;
    return made;
}

nb::list attempts(std::string_view kind) {
    nb::list made;
    for (const LoadAttempt& attempt : backend_report())
        if (kind.empty() || attempt.kind == kind) made.append(attempt_dict(attempt));
    return made;
}

// What a loaded backend says of itself; the calls into the backend run without the GIL.
struct Facts {
    std::string path, message, eagle_version, archs;
    std::uint32_t version = 0;
    std::uint64_t capabilities = 0;
    std::vector<std::int32_t> device_types;
    std::vector<std::string> groups;
    bool usable = false;
    int devices = 0;
};

Facts ask(const Backend& backend) {
    Facts facts;
    facts.path = backend.path().string();
    facts.version = backend.version();
    facts.capabilities = backend.capabilities();
    facts.device_types = backend.device_types();
    facts.eagle_version = backend.build_info().eagle_version;
    facts.archs = backend.build_info().archs;
    for (const Group group : groups)
        if (backend.provides(group)) facts.groups.emplace_back(group_name(group));
    const Probe probe = backend.probe();
    facts.usable = probe.usable;
    facts.message = probe.message;
    facts.devices = probe.usable ? backend.device_count() : 0;
    return facts;
}

nb::dict state_dict(const std::string& kind, const Facts& facts, bool loaded) {
    nb::dict made;
    made["kind"] = kind;
    made["loaded"] = loaded;
    made["usable"] = facts.usable;
    made["message"] = facts.message;
    made["path"] = facts.path;
    made["abi"] = loaded ? std::to_string(facts.version >> 16) + "." + std::to_string(facts.version & 0xffffU) : "";
    made["eagle_version"] = facts.eagle_version;
    made["archs"] = facts.archs;
    made["capabilities"] = facts.capabilities;
    made["groups"] = nb::cast(facts.groups);
    made["device_types"] = nb::cast(facts.device_types);
    made["device_count"] = facts.devices;
    made["attempts"] = attempts(kind);
    return made;
}

nb::dict load_state(const std::string& kind) {
    Facts facts;
    bool loaded = false;
    {
        const WithoutGil released;
        try {
            const Backend backend = Backend::load(kind);
            loaded = true;
            facts = ask(backend);
        } catch (const std::exception& error) {
            facts.message = error.what();
        }
    }
    return state_dict(kind, facts, loaded);
}

// Asked by the loader on a miss, from whatever thread loads. The module that answers is imported then, not before.
std::optional<std::string> resolve(const std::string& kind) {
    if (Py_IsInitialized() == 0) return std::nullopt;
    const WithGil held;
    try {
        const nb::object path = nb::module_::import_("eagle._resolver").attr("resolve")(kind);
        if (path.is_none()) return std::nullopt;
        return nb::cast<std::string>(path);
    } catch (nb::python_error& error) {
        const std::string text = error.what();
        // The loader notes what is thrown and goes on; Ctrl-C is pressed anew for whoever asked the loader.
        if (error.matches(PyExc_KeyboardInterrupt)) PyErr_SetInterrupt();
        throw BackendUnavailable("asking the entry points eagle.backends for kind '" + kind + "' failed: " + text);
    }
}

}  // namespace

void bind_backend(nb::module_& module) {
    module.attr("CAP_CONDITIONAL_IF_ELSE") = cap_conditional_if_else;
    module.attr("CAP_CONDITIONAL_SWITCH") = cap_conditional_switch;
    module.def("cuda_backend", &load_state, "kind"_a = "cuda",
               nb::sig("def cuda_backend(kind: str = 'cuda') -> dict[str, object]"),
               "Load state of the backend of one kind, loading it if need be. Never raises: `loaded` and `usable` say "
               "whether it is there, `message` and `attempts` why not.");
    module.def("installed_kinds", &installed_kinds, nb::call_guard<WithoutGil>(),
               "Kinds whose file is installed. Opens nothing.");
    module.def("backend_variable", &backend_variable, "kind"_a,
               "The environment variable that names the file of a kind. ValueError for what is no name of a kind.");
    module.def(
        "loaded_kinds",
        [] {
            std::vector<std::string> kinds;
            for (const Backend& backend : loaded_backends()) kinds.push_back(backend.kind());
            return kinds;
        },
        "Kinds loaded so far in this process.");
    module.def(
        "backend_report", [] { return attempts({}); }, nb::sig("def backend_report() -> list[dict[str, str]]"),
        "Every attempt to find or open a backend in this process, in order: kind, path, source, outcome, and the "
        "system's own text.");
    module.def(
        "register_backend_path",
        [](const std::string& kind, const std::filesystem::path& path) { register_backend_path(kind, path); }, "kind"_a,
        "path"_a, "A file for `kind`, asked after the other sources. ValueError for a relative path.");
    module.def(
        "reload_backend", [](const std::string& kind) { Backend::reload(kind); }, nb::call_guard<WithoutGil>(),
        "kind"_a, "Loads the backend of `kind`, trying again what failed before.");
    module.def("shared_cards", &shared_cards, nb::call_guard<WithoutGil>(),
               "Cards that several devices of the loaded kinds are, a sentence each. Starts the devices' drivers.");
    module.def("gpu_kind", &gpu_kind, nb::call_guard<WithoutGil>(),
               "The one GPU kind installed. Two are refused by name.");
    module.def("kind_of_device_type", &kind_of_device_type, "device_type"_a,
               "The kind that serves a DLPack device type. BackendUnavailable names a type that nobody serves.");
    module.def(
        "device_types_text",
        [](const std::string& kind) {
            const WithoutGil released;
            return device_types_text(Backend::load(kind));
        },
        "kind"_a,
        "The DLPack device types that the backend of `kind` serves, each with the kind that its arrays go to.");
    module.def("is_served", &is_served, nb::call_guard<WithoutGil>(), "device_type"_a,
               "Is a backend for that DLPack device type loaded, or installed so that it can be?");
    module.def("library_path", [] { return library_path(); }, "The folder of libeagle.");
    set_backend_resolver(&resolve);
}

}  // namespace eagle::python
