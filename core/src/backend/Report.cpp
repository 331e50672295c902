#include <eagle/Backend.h>
#include <eagle/Cards.h>
#include <eagle/DeviceProps.h>
#include <eagle/DeviceTypes.h>

#include <set>

#include "backend/AttemptRecord.h"
#include "backend/Identity.h"
#include "backend/Registry.h"
#include "backend/Search.h"

namespace eagle {
namespace {

std::string version_text(std::uint32_t version) {
    return std::to_string(version >> 16) + "." + std::to_string(version & 0xffff);
}

std::string or_none(const std::string& text) { return text.empty() ? "none" : text; }

std::string groups_text(const Backend& backend) {
    std::string text;
    for (unsigned bit = 0; bit < 64; ++bit) {
        const auto group = static_cast<Group>(bit);
        const auto name = group_name(group);
        if (name.empty() || !backend.provides(group)) continue;
        text += (text.empty() ? "" : ", ") + std::string(name);
    }
    return or_none(text);
}

std::string identity_text(const Backend& backend, std::int32_t device) {
    const detail::Identity identity = detail::identity_of(backend, device);
    return (identity.uuid.empty() ? "" : ", uuid " + identity.uuid) +
           (identity.pci.empty() ? "" : ", PCI " + identity.pci);
}

std::string name_text(const Backend& backend, std::int32_t device) {
    if (!backend.provides(Group::device)) return {};
    return ", " + device_props(backend, device).name;
}

// One device that cannot be asked does not hide the others.
std::string device_text(const Backend& backend, std::int32_t device) {
    std::string text = "    device " + std::to_string(device);
    try {
        text += name_text(backend, device) + identity_text(backend, device);
    } catch (const Error& error) {
        text += std::string(": ") + error.what();
    }
    return text + "\n";
}

std::string devices_text(const Backend& backend) try {
    const Probe probe = backend.probe();
    if (!probe.usable) return "    no usable device: " + probe.message + "\n";
    const int count = backend.device_count();
    std::string text = "    devices: " + std::to_string(count) + "\n";
    for (int device = 0; device < count; ++device) text += device_text(backend, device);
    return text;
} catch (const Error& error) {
    return std::string("    devices: ") + error.what() + "\n";
}

std::string backend_text(const Backend& backend) {
    const auto& info = backend.build_info();
    return "  " + backend.kind() + ": " + backend.path().string() + "\n    seam " + version_text(backend.version()) +
           ", built from eagle " + or_none(info.eagle_version) + ", device code " + or_none(info.archs) +
           "\n    DLPack device types: " + device_types_text(backend) + "\n    groups: " + groups_text(backend) + "\n" +
           devices_text(backend);
}

std::string gpu_text() {
    try {
        return gpu_kind() + "\n";
    } catch (const Error& error) {
        return std::string(error.what()) + "\n";
    }
}

}  // namespace

std::string backend_report_text() {
    std::set<std::string> kinds;
    for (auto& kind : installed_kinds()) kinds.insert(std::move(kind));
    for (auto& kind : detail::known_kinds()) kinds.insert(std::move(kind));

    std::string tried;
    for (const auto& kind : kinds) {
        const auto found = detail::find_backend(kind);
        tried += "  " + kind + (found.entry == nullptr ? ": no usable backend\n" : ": loaded\n");
        tried += detail::attempts_text(found.attempts);
    }
    std::string text = "eagle " + std::string(version()) + ", libeagle in " + library_path().string() + "\n";
    text += "\nbackends loaded\n";
    const auto backends = loaded_backends();
    for (const auto& backend : backends) text += backend_text(backend);
    if (backends.empty()) text += "  none\n";
    for (const std::string& card : shared_cards()) text += "  " + card + "\n";
    text += "\nbackend='gpu'\n  " + gpu_text();
    text += "\nwhat was tried, by kind, in the order of the sources\n" + tried;
    return text;
}

}  // namespace eagle
