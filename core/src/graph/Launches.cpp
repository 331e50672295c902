// Launches of kernels and of bare functions.
#include <eagle/GraphDescription.h>
#include <eagle/marshal/Pack.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "graph/Recording.h"
#include "graph/Text.h"
#include "graph/Touch.h"

namespace eagle {

using namespace graph;

namespace {

marshal::Value value_of(const Recording& recording, const Argument& argument, const std::string& user,
                        const SourceLine& where) {
    if (const auto* number = std::get_if<Number>(&argument.value))
        return std::visit([](auto n) -> marshal::Value { return n; }, number->value);
    const Plane& plane = recording.plane_of(std::get<PlaneRef>(argument.value), user, where);
    ArrayView view = plane.view(recording.address_of(plane));
    // Where planes live is judged over the whole graph; here they all are what a kernel reads.
    view.device_type = 1;
    view.device_id = 0;
    return view;
}

// Kernels take no uint32, and a cell is one; nor int32 for int64, and the indices of a compaction are that.
void refuse_narrow(const Recording& recording, const Signature& signature, const std::string& name,
                   const Argument& argument, const std::string& user, const SourceLine& where) {
    const auto* ref = std::get_if<PlaneRef>(&argument.value);
    if (ref == nullptr) return;
    const Plane& plane = recording.plane_of(*ref, user, where);
    if (plane.type == ElementType::of(Dtype::uint32) && plane.size() == 1)
        refuse<BufferRefused>(where, user + " was given the cell " + plane_text(plane) + " as '" + name +
                                         "', and a kernel takes no uint32; it needs what widen(cell) records, an int64 "
                                         "with the value of the cell, or an int64 plane from the start, which control "
                                         "flow reads as well");
    const std::int64_t parameter = signature.find(name);
    if (plane.type == ElementType::of(Dtype::int32) && parameter >= 0 &&
        signature.parameters[static_cast<std::size_t>(parameter)].dtype == Dtype::int64)
        refuse<BufferRefused>(where, user + " was given " + plane_text(plane) + " as '" + name +
                                         "', and the kernel takes int64 there; nothing in a graph converts: copy it to "
                                         "an int32 array of the host, widen that into an int64 array in a host "
                                         "function, and give the kernel this one, copied back where it runs on a "
                                         "device");
}

// What every rule about arguments says, once for arrays and graphs: the packing itself, thrown away.
marshal::Packed checked(const Recording& recording, const Signature& signature, const NamedArguments& arguments,
                        const marshal::Options& options, const std::string& user, const SourceLine& where) {
    std::vector<std::string_view> names;
    std::vector<marshal::Value> values;
    for (const auto& [name, argument] : arguments) {
        refuse_narrow(recording, signature, name, argument, user, where);
        names.emplace_back(name);
        values.push_back(value_of(recording, argument, user, where));
    }
    return at_line(where, user, [&] { return marshal::pack(signature, names, values, options); });
}

// Notes what outputs a run would allocate, and gives addresses that nobody has for them.
class Outputs final : public marshal::OutAllocator {
  public:
    struct Wanted {
        const Parameter* parameter;
        std::vector<std::int64_t> shape;
    };
    std::shared_ptr<void> allocate(std::size_t, const Parameter& parameter, std::span<const std::int64_t> shape,
                                   std::size_t bytes) override {
        wanted.push_back({&parameter, {shape.begin(), shape.end()}});
        next_ -= (bytes + 4096) / 4096 * 4096;
        return {std::shared_ptr<void>(), reinterpret_cast<void*>(next_)};
    }
    std::vector<Wanted> wanted;

  private:
    std::uintptr_t next_ = std::uintptr_t{1} << 62;
};

// "scale.out", with a number where that name is taken.
std::string output_name(const Recording& recording, const std::string& node, const std::string& parameter) {
    std::string name = node + "." + parameter;
    for (int n = 2; recording.plane_names.find(name) != recording.plane_names.end(); ++n)
        name = node + "." + parameter + " " + std::to_string(n);
    return name;
}

Mode mode_of(const Signature& signature, const Parameter& parameter) {
    if (!signature.writes(parameter)) return Mode::read;
    switch (parameter.role) {
        case Role::out:
        case Role::wide_out:
            return Mode::write;
        case Role::mutable_:
            return parameter.prior ? Mode::read_write : Mode::write;
        default:
            return Mode::read_write;
    }
}

std::vector<Access> accesses_of(const Signature& signature, const NamedArguments& arguments) {
    const bool masked = std::any_of(signature.parameters.begin(), signature.parameters.end(),
                                    [](const Parameter& p) { return p.role == Role::terminated; });
    std::vector<Access> accesses;
    for (const Parameter& parameter : signature.parameters)
        for (const auto& [name, argument] : arguments)
            if (const auto* plane = std::get_if<PlaneRef>(&argument.value); plane != nullptr && name == parameter.name)
                accesses.push_back({plane->index, mode_of(signature, parameter), parameter.role == Role::out && !masked,
                                    parameter.name});
    return accesses;
}

void check_updatable(const Recording& recording, const std::string& name, const std::string& user,
                     const SourceLine& where) {
    if (name.empty()) return;
    if (recording.plane_names.find(name) != recording.plane_names.end())
        refuse<ArgumentError>(where, user + " has a number that is given anew as " + in_quotes(name) +
                                         ", which is the name of a plane; give the number another name");
}

// A node is one launch, of all samples here, and nothing after it.
void check_plan(const Plan& plan, const std::string& user, const SourceLine& where) {
    const std::string kernel = user + " launches kernel " + in_quotes(plan.kernel().name());
    if (plan.kernel().access() == "mapreduce")
        refuse<InvalidArgument>(where, kernel +
                                           ", which is mapreduce; a node folds nothing: run it with a plan, or "
                                           "record the values and a reduction of them");
    if (plan.ranks() && plan.ranks()->size() > 1)
        refuse<InvalidArgument>(where, kernel + " on " + std::to_string(plan.ranks()->size()) +
                                           " ranks; a graph runs on one: give it a plan without ranks");
}

}  // namespace

NodeRef GraphDescription::launch(const Plan& plan, NamedArguments arguments, std::string name, SourceLine where) {
    recording_->check_open(where);
    const Signature& signature = plan.kernel().signature();
    name = recording_->node_name(std::move(name), plan.kernel().name(), where);
    const std::string user = "node " + in_quotes(name);
    check_plan(plan, user, where);
    for (const auto& [of, argument] : arguments)
        if (const auto* number = std::get_if<Number>(&argument.value))
            check_updatable(*recording_, number->updatable_as, user, where);
    const std::int64_t samples = checked(*recording_, signature, arguments, {}, user, where).samples();
    if (samples == 0)
        refuse<LayoutError>(where, user + " launches kernel " + in_quotes(plan.kernel().name()) +
                                       " over 0 samples; it needs 1 or more: leave the node out");
    Node node{std::move(name), std::move(where)};
    node.accesses = accesses_of(signature, arguments);
    check_written(*recording_, node);
    node.work = Launch{plan, std::move(arguments), samples};
    return recording_->add(std::move(node));
}

Call GraphDescription::call(const Plan& plan, NamedArguments arguments, std::string name, SourceLine where) {
    recording_->check_open(where);
    const Signature& signature = plan.kernel().signature();
    name = recording_->node_name(std::move(name), plan.kernel().name(), where);
    check_plan(plan, "node " + in_quotes(name), where);
    Outputs outputs;
    marshal::Options options;
    options.allocate_out = true;
    options.allocator = &outputs;
    const auto packed = checked(*recording_, signature, arguments, options, "node " + in_quotes(name), where);
    Call made;
    const std::size_t before = recording_->planes.size();
    for (const Outputs::Wanted& out : outputs.wanted) {
        const PlaneRef plane = scratch(output_name(*recording_, name, out.parameter->name), out.shape,
                                       ElementType::of(out.parameter->dtype), where);
        arguments.emplace_back(out.parameter->name, plane);
        made.outputs.emplace_back(out.parameter->name, plane);
    }
    try {
        made.node = launch(plan, std::move(arguments), std::move(name), std::move(where));
    } catch (...) {
        recording_->drop_planes(before);
        throw;
    }
    return made;
}

NodeRef GraphDescription::function(std::uint64_t function, std::int64_t count, std::vector<FunctionArgument> arguments,
                                   std::string name, const FunctionOptions& options, SourceLine where) {
    recording_->check_open(where);
    name = recording_->node_name(std::move(name), "function", where);
    const std::string user = "node " + in_quotes(name);
    if (function == 0)
        refuse<InvalidArgument>(where, user + " launches function 0; it needs what module_function gave");
    if (count < 1)
        refuse<InvalidArgument>(where, user + " launches over " + std::to_string(count) +
                                           " samples; it needs 1 or more: leave the node out");
    if (options.block == 0) refuse<InvalidArgument>(where, user + " has block 0; it needs 1 or more");
    Node node{std::move(name), where};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& argument = arguments[i];
        const std::string which =
            user + ", argument " + std::to_string(i) + (argument.name.empty() ? "" : " " + in_quotes(argument.name));
        if (!argument.plane) {
            if (argument.bytes.empty() || argument.bytes.size() > 16)
                refuse<InvalidArgument>(where, which + " has no plane and " + bytes_text(argument.bytes.size()) +
                                                   "; it needs a plane, or 1 to 16 bytes");
            check_updatable(*recording_, argument.updatable_as, user, where);
            continue;
        }
        if (!argument.bytes.empty())
            refuse<InvalidArgument>(
                where, which + " has a plane and " + bytes_text(argument.bytes.size()) + "; it needs one of the two");
        recording_->plane_of(argument.plane, which, where);
        node.accesses.push_back(
            {argument.plane.index, argument.mode, argument.whole && writes(argument.mode), argument.name});
    }
    check_written(*recording_, node);
    node.work = Function{
        function, count, options.block, options.grid, options.shared_bytes, options.max_parallel, std::move(arguments)};
    return recording_->add(std::move(node));
}

}  // namespace eagle
