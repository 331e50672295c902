#include <eagle/Backend.h>
#include <eagle/seam/eagle_backend.h>

#include <array>
#include <exception>

#include "backend/Entry.h"
#include "backend/Fork.h"
#include "backend/Stale.h"

namespace eagle {

std::string_view group_name(Group group) {
    switch (group) {
        case Group::stream:
            return "stream";
        case Group::capturer:
            return "capturer";
        case Group::captured:
            return "captured";
        case Group::fork:
            return "fork";
        case Group::conditional:
            return "conditional";
        case Group::attribution:
            return "attribution";
        case Group::graph:
            return "graph";
        case Group::launcher:
            return "launcher";
        case Group::exec:
            return "exec";
        case Group::device:
            return "device";
        case Group::interop:
            return "interop";
        case Group::filtering:
            return "filtering";
    }
    return {};
}

const std::string& Backend::kind() const { return entry_->kind; }
const std::filesystem::path& Backend::path() const { return entry_->path; }
std::uint32_t Backend::version() const { return entry_->version; }
std::uint64_t Backend::capabilities() const { return entry_->capabilities; }
const std::vector<std::int32_t>& Backend::device_types() const { return entry_->device_types; }
bool Backend::takes_host_files() const { return entry_->takes_host_files; }
bool Backend::host_only() const { return entry_->host_only; }
const BuildInfo& Backend::build_info() const { return entry_->build_info; }

bool Backend::provides(Group group) const { return (entry_->capabilities >> static_cast<unsigned>(group) & 1) != 0; }

void Backend::require(Group group) const {
    if (provides(group)) return;
    throw BackendUnavailable("eagle: the backend '" + kind() + "' (" + path().string() + ") does not provide " +
                             std::string(group_name(group)) + "; use a backend whose capability bit for it is set");
}

void Backend::require_symbol(const void* function, std::string_view symbol) const {
    if (function != nullptr) return;
    throw BackendUnavailable("eagle: the backend '" + kind() + "' (" + path().string() + ") does not provide " +
                             std::string(symbol) + "; use a backend that exports it");
}

Probe Backend::probe() const {
    const auto& seam = table();
    const std::string thrown = "eagle_backend_probe let a C++ exception out, which no backend may (EBP-3); ";
    try {
        if (seam.probe() == EAGLE_BACKEND_OK) return {true, {}};
    } catch (const std::exception& error) {
        return {false, thrown + "it says '" + error.what() + "'"};
    } catch (...) {
        return {false, thrown + "it is no std::exception"};
    }
    const char* text = seam.last_error();
    return {false, text == nullptr || *text == '\0' ? "the backend does not say why" : text};
}

int Backend::device_count() const {
    const auto& seam = table();
    if (seam.sdk_device_count == nullptr) return probe().usable ? 1 : 0;
    std::int32_t count = 0;
    check(seam.sdk_device_count(&count), "sdk_device_count");
    return count;
}

bool Backend::usable_here() const noexcept { return !detail::is_stale(*entry_); }

const seam::Table& Backend::table() const {
    detail::refuse_stale(*entry_);
    return entry_->table;
}

std::uint64_t Backend::fork_generation() { return detail::fork_generation(); }

}  // namespace eagle
