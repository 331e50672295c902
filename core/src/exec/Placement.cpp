#include "exec/Placement.h"

#include <eagle/Device.h>
#include <eagle/Interop.h>
#include <sched.h>

#include <algorithm>
#include <thread>

#include "array/Place.h"

namespace eagle::exec {
namespace {

bool in_order(const Kernel& kernel) { return kernel.access() == "cross_sample_write" || kernel.access().empty(); }

// `parts`: "2 partitions", of which there are several.
void check_parts(const Kernel& kernel, const std::string& parts) {
    if (kernel.access() == "cross_sample_write")
        throw InvalidArgument("kernel '" + kernel.name() + "' has exec_access 'cross_sample_write' and the plan has " +
                              parts + "; the rule: cross_sample_write runs on one partition of one device or team");
    if (kernel.access().empty())
        throw InvalidArgument("kernel '" + kernel.name() + "' comes from a v1 artifact and the plan has " + parts +
                              "; the rule: a v1 kernel runs whole, on one device or team");
}

void check_partitions(const Kernel& kernel, int npartitions) {
    if (npartitions < 1)
        throw InvalidArgument("npartitions is " + std::to_string(npartitions) + "; a plan needs at least 1 partition");
    if (npartitions > 1) check_parts(kernel, std::to_string(npartitions) + " partitions");
}

bool lies_at(const ArrayView& array, std::int32_t device_type, std::int32_t device) {
    return array.device_type == device_type && (device_type == 1 || array.device_id == device);
}

}  // namespace

Lies one_place(const std::string& kernel, const Arguments& arguments) {
    Lies first;
    for (const auto& [name, value] : arguments) {
        const auto* array = std::get_if<ArrayView>(&value);
        if (array == nullptr) continue;
        if (first.array == nullptr) {
            first = {&name, array};
        } else if (!lies_at(*array, first.array->device_type, first.array->device_id)) {
            throw BufferRefused("argument '" + name + "' of kernel '" + kernel + "' is on " + place_text(*array) +
                                ", '" + *first.name + "' is on " + place_text(*first.array) +
                                "; the rule: a call runs where its arrays are, all of them in one place: copy one of "
                                "them over");
        }
    }
    return first;
}

void check_lies_there(const std::string& kernel, const Lies& lies, const DeviceKernel* device) {
    if (lies.array == nullptr) return;
    if (device == nullptr ? lies.on_host() : lies_at(*lies.array, device_type_of_kind(device->kind), device->device))
        return;
    const std::string where =
        device == nullptr ? "HostTeam" : "DeviceKernel of " + device->kind + ":" + std::to_string(device->device);
    throw BufferRefused("argument '" + *lies.name + "' of kernel '" + kernel + "' is on " + place_text(*lies.array) +
                        ", and the structure is a " + where +
                        "; the rule: a structure takes arrays that lie where it is: copy the array there, or give no "
                        "structure, and it runs where its arrays are");
}

bool serves_host(const Backend& backend) {
    const auto& types = backend.device_types();
    return std::find(types.begin(), types.end(), 1) != types.end();
}

void check_placement(const Kernel& kernel, HostTeam team, int npartitions) {
    if (team.threads < 0)
        throw InvalidArgument("HostTeam has " + std::to_string(team.threads) +
                              " threads; it needs a positive number, or 0 for as many as this process may use");
    check_partitions(kernel, npartitions);
    if (!serves_host(kernel.backend()))
        throw InvalidArgument("kernel '" + kernel.name() + "' is loaded for kind '" + kernel.backend().kind() +
                              "', which does not serve host memory; a HostTeam needs a kernel loaded for a host kind");
}

void check_placement(const Kernel& kernel, const DeviceKernel& device, int npartitions) {
    if (device.kind != kernel.backend().kind())
        throw InvalidArgument("kernel '" + kernel.name() + "' is loaded for kind '" + kernel.backend().kind() +
                              "', the DeviceKernel is of kind '" + device.kind +
                              "'; load the kernel for that kind, as with Kernel::on");
    const int devices = kernel.backend().device_count();
    if (devices == 0)
        throw BackendUnavailable("eagle: kind '" + device.kind +
                                 "' has no usable device here: " + kernel.backend().probe().message);
    if (device.device < 0 || device.device >= devices)
        throw InvalidArgument("DeviceKernel has device " + std::to_string(device.device) + "; kind '" + device.kind +
                              "' has " + std::to_string(devices) + " here, numbered from 0");
    check_partitions(kernel, npartitions);
}

void check_placement(const Kernel& kernel, const RankPartition& ranks) {
    if (ranks.size() > 1) check_parts(kernel, std::to_string(ranks.size()) + " ranks");
}

std::uint32_t parallel_of(const Kernel& kernel, HostTeam team) {
    // The result must not depend on who came first.
    return in_order(kernel) ? 1 : static_cast<std::uint32_t>(team.threads);
}

std::uint32_t grid_of(const Kernel& kernel) { return kernel.signature().whole_entry != 0 ? 1 : 0; }

int threads_of(HostTeam team) {
    if (team.threads > 0) return team.threads;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace eagle::exec
