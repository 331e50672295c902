#include "artifact/KernelCode.h"

#include <eagle/Error.h>
#include <eagle/marshal/WholeEntry.h>

#include <string>
#include <utility>

namespace eagle::artifact {
namespace {

void check_device(const Backend& backend, const std::filesystem::path& file, std::int32_t device) {
    if (backend.takes_host_files()) return;
    const int devices = backend.device_count();
    if (devices == 0)
        throw BackendUnavailable("eagle: kind '" + backend.kind() +
                                 "' has no usable device here: " + backend.probe().message);
    if (device < 0 || device >= devices)
        throw InvalidArgument("'" + file.string() + "' is to be loaded for device " + std::to_string(device) +
                              "; kind '" + backend.kind() + "' has " + std::to_string(devices) +
                              " here, numbered from 0");
}

}  // namespace

KernelCode::KernelCode(const Backend& backend, KernelFile file, std::int32_t device)
    : backend_(backend), file_(std::move(file)), device_(device), first_(load(device, content_)) {}

// A v1 entry is never called as a v2 one: what is launched calls it with all samples.
KernelCode::Loaded KernelCode::load(std::int32_t device, Content& content) const {
    check_device(backend_, file_.file, device);
    Loaded out;
    out.module = load_module(backend_, file_.file, file_.tag, device, content);
    out.entries.step = out.module->function(file_.step);
    if (!file_.run.empty()) out.entries.run = out.module->function(file_.run);
    if (file_.schema_version != 1) return out;
    out.entries.whole = out.entries.step;
    out.entries.step = reinterpret_cast<std::uint64_t>(&marshal::call_whole_entry);
    return out;
}

const KernelEntries& KernelCode::on(std::int32_t device) const {
    return device == device_ || backend_.takes_host_files() ? first_.entries : load_further(device);
}

const KernelEntries& KernelCode::load_further(std::int32_t device) const {
    {
        const std::lock_guard lock(mutex_);
        const auto known = further_.find(device);
        if (known != further_.end()) return known->second.entries;
    }
    Content content;
    Loaded made = load(device, content);
    if (content != content_)
        throw InvalidArgument("'" + file_.file.string() + "' is not the file any more that was loaded for device " +
                              std::to_string(device_) + " of kind '" + backend_.kind() + "', and device " +
                              std::to_string(device) + " needs the same; load the artifact again");
    const std::lock_guard lock(mutex_);
    return further_.emplace(device, std::move(made)).first->second.entries;
}

}  // namespace eagle::artifact
