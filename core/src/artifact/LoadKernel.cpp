#include <eagle/Artifact.h>

#include <algorithm>

#include "artifact/HostCpu.h"
#include "artifact/KernelState.h"
#include "artifact/ReadFile.h"
#include "backend/Loaded.h"

namespace eagle {
namespace {

std::string list(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
    return out.empty() ? "none" : out;
}

bool serves(const Backend& backend, std::int32_t type) {
    const auto& types = backend.device_types();
    return std::find(types.begin(), types.end(), type) != types.end();
}

// The file formats that a backend takes, best first, by the memory it serves.
std::vector<std::string> formats_of(const Backend& backend) {
    std::vector<std::string> out;
    if (backend.takes_host_files()) out.emplace_back("host");
    if (serves(backend, 2)) out.insert(out.end(), {"cubin", "fatbin", "ptx"});
    if (serves(backend, 10)) out.emplace_back("hsaco");
    return out;
}

// No format belongs to the memory that it serves: device code is its by the name of the record.
bool goes_by_name(const Backend& backend) { return !serves(backend, 1) && !serves(backend, 2) && !serves(backend, 10); }

bool is_named(const PluginRecord& record, const Backend& backend) {
    return goes_by_name(backend) && record.format != "host" && record.id.ends_with("." + backend.kind());
}

// The kernel's records that the backend takes, best first.
std::vector<std::size_t> taken(const std::vector<PluginRecord>& plugins, const std::vector<std::size_t>& records,
                               const Backend& backend) {
    const std::vector<std::string> formats = formats_of(backend);
    std::vector<std::size_t> out;
    for (const std::string& format : formats)
        std::copy_if(records.begin(), records.end(), std::back_inserter(out),
                     [&](std::size_t i) { return plugins[i].format == format; });
    if (out.empty())
        std::copy_if(records.begin(), records.end(), std::back_inserter(out),
                     [&](std::size_t i) { return is_named(plugins[i], backend); });
    return out;
}

std::vector<std::size_t> enabled(const std::vector<PluginRecord>& plugins, const std::vector<Sidecar>& sidecars,
                                 const std::string& kernel) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < sidecars.size(); ++i)
        if (plugins[i].enabled && sidecars[i].signature.kernel == kernel) out.push_back(i);
    return out;
}

const SidecarEntries& entries_for(const Sidecar& sidecar, const std::string& target, const std::string& kind) {
    const SidecarEntries* found = nullptr;
    for (const SidecarEntries& entries : sidecar.entries)
        if (entries.target == kind || (entries.target == target && !found)) found = &entries;
    if (!found)
        throw InvalidArgument("the sidecar of kernel '" + sidecar.signature.kernel + "' has no entries for target '" +
                              target + "'; build the artifact for it");
    return *found;
}

void check_launchable(const Sidecar& sidecar) {
    const std::string& name = sidecar.signature.kernel;
    if (sidecar.pattern == "neural_block")
        throw Unsupported("kernel '" + name + "' is a neural block descriptor, which is recognised but never launched");
}

// Of version 1 the host entry alone is defined.
void check_version(const Sidecar& sidecar, const std::string& format) {
    if (sidecar.schema_version != 1 || format == "host") return;
    throw Unsupported("kernel '" + sidecar.signature.kernel + "' has a v1 file of format " + format +
                      "; version 1 defines an entry of host files alone, f(params, n): build the artifact again with "
                      "schema v2");
}

void check_cpu(const Sidecar& sidecar) {
    const auto missing = artifact::missing_features(sidecar.host_cpu);
    if (!missing.empty())
        throw Unsupported("kernel '" + sidecar.signature.kernel + "' was built for a CPU with " +
                          list(sidecar.host_cpu) + "; this one lacks " + list(missing) + "; build it on this machine");
}

}  // namespace

Kernel Artifact::kernel(const std::string& name, const std::string& kind, std::int32_t device) const {
    const std::vector<std::size_t> records = enabled(manifest_.plugins, sidecars_, name);
    if (records.empty())
        throw InvalidArgument("'" + folder_.string() + "' has no enabled kernel '" + name + "'; it has " +
                              list(kernels()));
    check_launchable(sidecars_[records.front()]);

    const Backend backend = detail::backend_of_kind(kind);
    const std::vector<std::size_t> takes = taken(manifest_.plugins, records, backend);
    if (!takes.empty()) {
        const PluginRecord& record = manifest_.plugins[takes.front()];
        const Sidecar& sidecar = sidecars_[takes.front()];
        check_version(sidecar, record.format);
        const SidecarEntries& entries = entries_for(sidecar, record.format == "host" ? "host" : "device", kind);
        if (record.format == "host") check_cpu(sidecar);
        auto state = std::make_shared<Kernel::State>();
        state->signature = sidecar.signature;
        state->access = sidecar.exec_access;
        state->operation = sidecar.exec_op;
        state->folder = std::filesystem::absolute(folder_);
        state->code = std::make_shared<const artifact::KernelCode>(
            backend,
            artifact::KernelFile{std::filesystem::absolute(artifact::file_of_folder(folder_, record.artifact)),
                                 sidecar.aether_abi, entries.step, entries.run, sidecar.schema_version},
            device);
        state->signature.whole_entry = state->code->on(device).whole;
        return Kernel(std::move(state));
    }
    std::vector<std::string> there;
    there.reserve(records.size());
    for (const std::size_t i : records) {
        check_version(sidecars_[i], manifest_.plugins[i].format);
        there.push_back(manifest_.plugins[i].format);
    }
    throw InvalidArgument("kernel '" + name + "' has files of format " + list(there) + "; kind '" + kind + "' takes " +
                          list(formats_of(backend)) +
                          (goes_by_name(backend) ? ", and device code whose id ends in '." + kind + "'" : "") +
                          "; build the artifact for that target");
}

bool Artifact::has_file(const std::string& name, const std::string& kind) const {
    return !taken(manifest_.plugins, enabled(manifest_.plugins, sidecars_, name), detail::backend_of_kind(kind))
                .empty();
}

Kernel Artifact::kernel() const {
    const std::vector<std::string> names = kernels();
    if (names.size() != 1)
        throw InvalidArgument("'" + folder_.string() + "' has " + std::to_string(names.size()) + " kernels (" +
                              list(names) + "), not one; name the one to load");
    return kernel(names.front());
}

}  // namespace eagle
