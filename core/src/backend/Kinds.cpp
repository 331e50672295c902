#include <eagle/Backend.h>
#include <eagle/DeviceTypes.h>
#include <eagle/marshal/NameText.h>

#include <algorithm>
#include <array>
#include <set>
#include <system_error>

#include "backend/KindName.h"
#include "backend/Registry.h"
#include "backend/Search.h"
#include "backend/Sources.h"

namespace eagle {
namespace {

struct KindOfType {
    std::int32_t type;
    std::string_view kind;
};
constexpr std::array kinds_of_types{
#define EAGLE_DEVICE_KIND(type, kind) KindOfType{type, #kind},
#include <eagle/seam/device_kinds.def>
};

bool any_file(const std::vector<std::filesystem::path>& paths) {
    std::error_code unknown;
    return std::any_of(paths.begin(), paths.end(),
                       [&](const auto& path) { return std::filesystem::is_regular_file(path, unknown); });
}

std::string joined(const std::vector<std::string>& words, const char* separator) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : separator) + word;
    return text;
}

bool serves_gpu(const Backend& backend) {
    const auto& types = backend.device_types();
    return std::any_of(types.begin(), types.end(), detail::is_gpu_type);
}

std::string probe_line(const Backend& backend) {
    const Probe probe = backend.probe();
    return backend.kind() + (probe.usable ? ": a device is usable" : ": no usable device: " + probe.message);
}

std::string no_gpu_text(const std::vector<std::string>& looked_at, const std::vector<LoadAttempt>& attempts) {
    std::string text = "eagle: backend='gpu' found no GPU kind; ";
    text += looked_at.empty() ? "no backend is installed"
                              : "installed are " + joined(looked_at, ", ") +
                                    ", of which none loads and serves a DLPack device type other than 1, 4, 7 and 12";
    text += "; needs one such backend beside libeagle (" + library_path().string() +
            ") or named by $EAGLE_BACKEND_<KIND>; `eagle-doctor` or `python -m eagle doctor` prints what was tried";
    for (const auto& attempt : attempts) text += "\n  " + attempt.kind + ": " + attempt.outcome;
    return text;
}

}  // namespace

namespace detail {

std::vector<std::string> known_kinds() {
    std::set<std::string> kinds;
    for (const auto& row : kinds_of_types) kinds.emplace(row.kind);
    return {kinds.begin(), kinds.end()};
}

bool is_gpu_type(std::int32_t device_type) {
    constexpr std::array others{1, 4, 7, 12};
    return std::find(others.begin(), others.end(), device_type) == others.end();
}

std::string other_kinds_text(const std::string& kind) {
    const std::vector<std::string> installed = installed_kinds();
    const std::set<std::string> here(installed.begin(), installed.end());
    if (here.contains(kind)) return {};
    const std::vector<std::string> known = known_kinds();
    std::string text = here.empty() ? "no kind is installed" : "installed are " + joined(installed, ", ");
    if (std::find(known.begin(), known.end(), kind) != known.end())
        return "it is not part of this installation, and " + text +
               ": docs/devices.md and docs/add_a_backend.md say how a kind comes in";
    std::vector<std::string> names = installed;  // before the others, since the first of equals is named
    names.insert(names.end(), known.begin(), known.end());
    const std::string nearest = marshal::nearest_name(kind, names);
    if (nearest.empty()) return text;
    return "the nearest name is '" + nearest + "'" + (here.contains(nearest) ? "" : ", not installed") + "; " + text;
}

}  // namespace detail

std::string device_types_text(const Backend& backend) {
    std::string text;
    for (const std::int32_t type : backend.device_types()) {
        const auto row = std::find_if(kinds_of_types.begin(), kinds_of_types.end(),
                                      [type](const KindOfType& known) { return known.type == type; });
        const std::string kind = row == kinds_of_types.end() ? backend.kind() : std::string(row->kind);
        text += (text.empty() ? "" : ", ") + std::to_string(type) + " (" + kind +
                (kind == backend.kind() ? ")" : ", to which its arrays go: serve a type that is not another kind's)");
    }
    return text.empty() ? "none" : text;
}

std::vector<std::string> installed_kinds() {
    const auto& registry = detail::Registry::instance();
    std::set<std::string> kinds;
    for (auto& kind : detail::kinds_beside()) kinds.insert(std::move(kind));
    for (auto& kind : detail::kinds_by_variable()) kinds.insert(std::move(kind));
    for (auto& kind : registry.registered_kinds()) {
        if (any_file(registry.registered(kind))) kinds.insert(std::move(kind));
    }
    // A resolver can only be asked for names, so it is asked for those that are known.
    for (auto& kind : detail::known_kinds()) {
        if (kinds.contains(kind)) continue;
        const auto path = detail::ask_resolver(kind).path;
        if (path && path->is_absolute() && any_file({*path})) kinds.insert(std::move(kind));
    }
    return {kinds.begin(), kinds.end()};
}

std::string backend_variable(std::string_view kind) {
    detail::require_kind_name(kind);
    return detail::backend_variable_name(kind);
}

std::vector<Backend> loaded_backends() {
    std::vector<Backend> backends;
    for (const auto* entry : detail::Registry::instance().loaded()) {
        backends.push_back(Backend(entry));
    }
    return backends;
}

std::string kind_of_device_type(std::int32_t device_type) {
    for (const auto& row : kinds_of_types) {
        if (row.type == device_type) return std::string(row.kind);
    }
    std::set<std::string> kinds;
    for (const auto* entry : detail::Registry::instance().loaded()) {
        const auto& types = entry->device_types;
        if (std::find(types.begin(), types.end(), device_type) != types.end()) kinds.insert(entry->kind);
    }
    if (kinds.size() == 1) return *kinds.begin();
    const std::string what = "eagle: the DLPack device type " + std::to_string(device_type);
    if (kinds.empty()) {
        throw BackendUnavailable(what +
                                 " is served by no backend that is known or loaded; name the kind with backend=");
    }
    throw BackendUnavailable(what + " is served by " + joined({kinds.begin(), kinds.end()}, ", ") +
                             "; name one of them with backend=");
}

const std::string& host_kind() {
    static const auto* kind = new std::string(kind_of_device_type(1));
    return *kind;
}

std::string named_kind(std::string_view kind) { return kind == "gpu" ? gpu_kind() : std::string(kind); }

std::string gpu_kind() {
    std::vector<std::string> names, probes;
    std::vector<LoadAttempt> refused;
    const auto kinds = installed_kinds();
    for (const auto& kind : kinds) {
        const auto found = detail::find_backend(kind);
        if (found.entry == nullptr) {
            refused.insert(refused.end(), found.attempts.begin(), found.attempts.end());
            continue;
        }
        const Backend backend = Backend::load(kind);
        if (!serves_gpu(backend)) continue;
        names.push_back(kind);
        probes.push_back(probe_line(backend));
    }
    if (names.size() == 1) return names.front();
    if (names.empty()) throw BackendUnavailable(no_gpu_text(kinds, refused));
    throw BackendUnavailable("eagle: backend='gpu' is ambiguous, " + joined(names, ", ") +
                             " are installed; name one of them as the backend\n" + joined(probes, "; "));
}

}  // namespace eagle
