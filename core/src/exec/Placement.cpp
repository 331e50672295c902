#include "exec/Placement.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace eagle::exec {
namespace {

bool in_order(const Kernel& kernel) {
    return kernel.access() == "cross_sample_write" || kernel.access() == "mapreduce";
}

void check_partitions(const Kernel& kernel, int npartitions) {
    if (npartitions < 1)
        throw InvalidArgument("npartitions is " + std::to_string(npartitions) + "; a plan needs at least 1 partition");
    if (npartitions > 1 && kernel.access() == "cross_sample_write")
        throw InvalidArgument("kernel '" + kernel.name() + "' has exec_access 'cross_sample_write' and the plan has " +
                              std::to_string(npartitions) +
                              " partitions; the rule: cross_sample_write runs on one partition of one device or team");
    if (npartitions > 1 && kernel.access().empty())
        throw InvalidArgument("kernel '" + kernel.name() + "' comes from a v1 artifact and the plan has " +
                              std::to_string(npartitions) +
                              " partitions; the rule: a v1 kernel runs whole, on one device or team");
}

}  // namespace

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
    if (device.device < 0 || device.device >= devices)
        throw InvalidArgument("DeviceKernel has device " + std::to_string(device.device) + "; kind '" + device.kind +
                              "' has " + std::to_string(devices) + " here, numbered from 0");
    check_partitions(kernel, npartitions);
}

std::uint32_t parallel_of(const Kernel& kernel, HostTeam team) {
    // Folds go in ascending order too: the result must not depend on who came first.
    return in_order(kernel) ? 1 : static_cast<std::uint32_t>(team.threads);
}

int threads_of(HostTeam team) {
    if (team.threads > 0) return team.threads;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace eagle::exec
