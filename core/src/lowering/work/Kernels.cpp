// Launches: of plans, and of bare functions.
#include "lowering/work/Kernels.h"

#include <eagle/marshal/Control.h>

#include <algorithm>

#include "exec/Placement.h"
#include "graph/Text.h"
#include "lowering/Recorder.h"

namespace eagle::lowering {

bool KernelWork::repoint(Launcher& launcher) {
    if (!launcher.can_set_kernel_params() || handles.size() != calls_.size()) return false;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        std::vector<const void*> params(calls_[i].params, calls_[i].params + calls_[i].count);
        if (is_traced_) params.insert(params.begin(), nullptr);  // its ticket stays
        launcher.set_kernel_params(handles[i], params);
    }
    return true;
}

void KernelWork::record(Recorder& recorder, std::uint64_t stream) {
    is_traced_ = false;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        const auto ticket = recorder.tracing().ticket(calls_[i], i, calls_.size());
        if (ticket)
            put_traced(calls_[i], *ticket, site_.backend(), site_.device(), stream);
        else
            calls_[i].put(site_.backend(), site_.device(), stream);
        is_traced_ = ticket.has_value();
    }
}

// All of its launches are of one function.
bool KernelWork::notes_itself(Tracing& tracing) const {
    return !calls_.empty() && tracing.is_code(calls_.front().function);
}

PlanWork::PlanWork(Frame& frame, Site& site, std::uint32_t node)
    : KernelWork(site),
      frame_(frame),
      launch_(std::get<graph::Launch>(frame.node(node).work)),
      kernel_(site.kernels.here(launch_.plan.kernel())),
      arguments_(launch_.arguments) {
    if (frame.controls[node].bytes != 0) control_ = site.executor.address(frame.controls[node]);
    check_structure();
    readdress();
}

// A plan with a structure takes planes that lie there.
void PlanWork::check_structure() const {
    const Plan& plan = launch_.plan;
    if (plan.follows_arrays()) return;
    for (const auto& [name, argument] : launch_.arguments) {
        const auto* plane = std::get_if<graph::PlaneRef>(&argument.value);
        if (plane == nullptr) continue;
        const ArrayView array = frame_.array(*plane, site_.place());
        const DeviceKernel* device = plan.device() ? &*plan.device() : nullptr;
        return exec::check_lies_there(kernel_.name(), {&name, &array}, device);
    }
}

void PlanWork::readdress() {
    const Signature& signature = kernel_.signature();
    const graph::Device device = site_.place();
    marshal::Options options;
    options.device_type = device.type;
    options.device_id = device.id;
    std::vector<std::string_view> names;
    std::vector<marshal::Value> values;
    for (const auto& [name, argument] : arguments_) {
        names.emplace_back(name);
        if (const auto* plane = std::get_if<graph::PlaneRef>(&argument.value))
            values.emplace_back(frame_.array(*plane, device));
        else
            std::visit([&](auto number) { values.emplace_back(number); },
                       std::get<graph::Number>(argument.value).value);
    }
    marshal::Packed packed = marshal::pack(signature, names, values, options);
    if (control_ != 0)
        packed.set_supplied(static_cast<std::size_t>(signature.find("__control")), reinterpret_cast<void*>(control_),
                            marshal::Control::size);
    packed_ = std::move(packed);
    make_calls();
}

void PlanWork::make_calls() {
    KernelCall call;
    call.function = kernel_.step_entry(site_.device());
    call.max_parallel = exec::parallel_of(kernel_, site_.backend().host_only() ? launch_.plan.team() : HostTeam{});
    call.grid = exec::grid_of(kernel_);
    call.params = packed_.params();
    call.sizes = packed_.param_sizes();
    call.count = packed_.count();
    calls_.clear();
    const auto parts = static_cast<int>(std::min<std::int64_t>(packed_.samples(), launch_.plan.npartitions()));
    for (const Partition& part : Partition::split(packed_.samples(), parts)) {
        call.part = part;
        calls_.push_back(call);
    }
}

bool PlanWork::set_number(std::string_view name, const marshal::Value& value) {
    bool found = false;
    before_ = arguments_;
    for (auto& [of, argument] : arguments_) {
        auto* number = std::get_if<graph::Number>(&argument.value);
        if (number == nullptr || number->updatable_as != name) continue;
        const auto index = static_cast<std::size_t>(kernel_.signature().find(of));
        if (const auto* real = std::get_if<double>(&value)) {
            packed_.set_number(index, *real);
            number->value = *real;
        } else {
            packed_.set_number(index, std::get<std::int64_t>(value));
            number->value = std::get<std::int64_t>(value);
        }
        found = true;
    }
    return found;
}

void PlanWork::undo() {
    arguments_ = before_;
    readdress();
}

FunctionWork::FunctionWork(Frame& frame, Site& site, std::uint32_t node)
    : KernelWork(site), frame_(frame), function_(std::get<graph::Function>(frame.node(node).work)) {
    const std::size_t n = function_.arguments.size();
    blocks_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const graph::FunctionArgument& argument = function_.arguments[i];
        std::copy(argument.bytes.begin(), argument.bytes.end(), blocks_[i].begin());
        params_.push_back(blocks_[i].data());
        sizes_.push_back(argument.plane ? sizeof(std::uint64_t) : argument.bytes.size());
    }
    KernelCall call;
    call.function = function_.function;
    call.part = Partition::whole(function_.count);
    call.block = function_.block;
    call.grid = function_.grid;
    call.shared_bytes = function_.shared_bytes;
    call.max_parallel = function_.max_parallel;
    call.params = params_.data();
    call.sizes = sizes_.data();
    call.count = n;
    calls_.push_back(call);
    readdress();
}

void FunctionWork::readdress() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if (!function_.arguments[i].plane) continue;
        const std::uint64_t address = frame_.at(function_.arguments[i].plane);
        std::memcpy(blocks_[i].data(), &address, sizeof address);
    }
}

bool FunctionWork::set_bytes(std::string_view name, std::span<const std::byte> bytes) {
    bool found = false;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const graph::FunctionArgument& argument = function_.arguments[i];
        if (argument.plane || argument.updatable_as != name) continue;
        if (argument.bytes.size() != bytes.size())
            throw InvalidArgument("'" + std::string(name) + "' is " + graph::bytes_text(argument.bytes.size()) +
                                  " of a function's arguments, and was given " + graph::bytes_text(bytes.size()) +
                                  "; give as many as it was recorded with");
        std::copy(bytes.begin(), bytes.end(), blocks_[i].begin());
        found = true;
    }
    return found;
}

}  // namespace eagle::lowering
