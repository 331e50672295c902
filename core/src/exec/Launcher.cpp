#include "exec/Launcher.h"

#include <eagle/Fence.h>

#include <string>
#include <vector>

#include "backend/Table.h"
#include "trace/Entries.h"

namespace eagle::exec {

Launcher::Launcher(const Kernel& kernel, std::int32_t device)
    : kernel_(kernel), stream_(kernel.backend(), device), launch_(kernel.backend().table().sdk_launch) {
    kernel.backend().require_symbol(reinterpret_cast<const void*>(launch_), "eagle_backend_sdk_launch");
    desc_.struct_size = sizeof desc_;
    desc_.device = stream_.device();
    desc_.block = block;
    desc_.stream = stream_.native();
    options_.struct_size = sizeof options_;
}

// A kind without events orders nothing but its blocking streams.
void Launcher::follow(std::uint64_t stream) {
    if (stream_.backend().provides(Group::interop)) fence(stream_.backend(), stream_.device(), 0, stream_.native());
    if (stream != 0) fence(stream_.backend(), stream_.device(), stream, stream_.native());
}

void Launcher::lead(std::uint64_t stream) {
    if (stream != 0) fence(stream_.backend(), stream_.device(), stream_.native(), stream);
}

void Launcher::prepare(std::uint64_t entry, const marshal::Packed& packed) {
    desc_.function = entry;
    desc_.params = reinterpret_cast<const std::uint64_t*>(packed.params());
    desc_.param_sizes = packed.param_sizes();
    desc_.nparams = static_cast<std::int64_t>(packed.count());
}

trace::Label Launcher::label() const {
    return {"launch",
            "launch " + kernel_.name(),
            {{"base", desc_.base},
             {"count", desc_.count},
             {"n_samples", desc_.n_samples},
             {"device", stream_.backend().kind() + ":" + std::to_string(stream_.device())}}};
}

// The same launch while somebody records: with an entry before the kernel that notes its parts, where the kernel is a
// function of the host.
void Launcher::put_traced() {
    const trace::SessionId session = trace::session();
    trace::Session& notes = trace::Session::of_process();
    const Backend& backend = stream_.backend();
    trace::Label words = label();
    eagle_backend_launch_desc desc = desc_;
    std::vector<std::uint64_t> params, sizes;
    trace::Ticket ticket{desc_.function, session, 0, 0, trace::EventKind::part};
    if (session != 0 && backend.takes_host_files() && trace::is_code(desc_.function)) {
        if (traced_ != session || traced_function_ != desc_.function) {
            const std::string device = backend.kind() + ":" + std::to_string(stream_.device());
            trace::Subject subject;
            subject.name = subject.kernel = kernel_.name();
            subject.kind = "launch";
            subject.row = notes.row(session, device + " " + std::to_string(desc_.stream), {device, "stream of plans"});
            subject_ = notes.add(session, std::move(subject));
            traced_ = session;
            traced_function_ = desc_.function;
        }
        ticket.launch = words.launch = notes.next_launch();
        ticket.subject = subject_;
        params.push_back(reinterpret_cast<std::uint64_t>(&ticket));
        sizes.push_back(sizeof ticket);
        params.insert(params.end(), desc_.params, desc_.params + desc_.nparams);
        sizes.insert(sizes.end(), desc_.param_sizes, desc_.param_sizes + desc_.nparams);
        desc.function = trace::entry_before(desc_.function);
        desc.params = params.data();
        desc.param_sizes = sizes.data();
        desc.nparams = static_cast<std::int64_t>(params.size());
    }
    const trace::Span span([&] { return std::move(words); });
    std::int32_t launched = 0;
    const std::int32_t status = launch_(&desc, &options_, &launched);
    if (status != EAGLE_BACKEND_OK) backend.check(status, "eagle_backend_sdk_launch");
}

}  // namespace eagle::exec
