// Nodes that are no launch: copy, fill, host function, reduce, compact, opaque work.
#include <eagle/GraphDescription.h>

#include <cmath>
#include <limits>
#include <utility>

#include "graph/Pattern.h"
#include "graph/Recording.h"
#include "graph/Text.h"
#include "graph/Touch.h"

namespace eagle {

using namespace graph;

namespace {

void need_elements(const Plane& plane, const std::string& user, const SourceLine& where) {
    if (plane.size() == 0)
        refuse<LayoutError>(where, user + " was given " + plane_text(plane) +
                                       ", which has no elements; it needs 1 or more: leave the node out");
}

void need_dense(const Plane& plane, const std::string& user, const SourceLine& where) {
    need_elements(plane, user, where);
    if (!plane.dense())
        refuse<LayoutError>(where, user + " was given " + plane_text(plane) +
                                       ", which has gaps or another order than row-major; it needs a dense plane: "
                                       "gather it with a kernel first");
}

void need_type(const Plane& plane, ElementType type, const std::string& user, const SourceLine& where) {
    if (plane.type != type)
        refuse<BufferRefused>(
            where, user + " was given " + plane_text(plane) + "; it needs " + element_type_name(type) + " there");
}

void add_planes(const Recording& recording, Node& node, const std::vector<PlaneRef>& planes, Mode mode) {
    for (PlaneRef plane : planes) {
        recording.plane_of(plane, "node " + in_quotes(node.name), node.where);
        node.accesses.push_back({plane.index, mode, false, {}});
    }
}

bool reducible(ElementType type) {
    for (Dtype dtype : {Dtype::float64, Dtype::float32, Dtype::int64, Dtype::int32, Dtype::uint32, Dtype::boolean})
        if (type == ElementType::of(dtype)) return true;
    return false;
}

bool folds_into(Fold fold, ElementType from, ElementType into) {
    const auto of = [](Dtype dtype) { return ElementType::of(dtype); };
    if (fold == Fold::all) return into == of(Dtype::boolean) || into == of(Dtype::uint32);
    if (fold == Fold::sum && from == of(Dtype::boolean)) return into == of(Dtype::uint32) || into == of(Dtype::int64);
    return from == into;
}

std::string wanted_type(Fold fold, ElementType from) {
    if (fold == Fold::all) return "bool or uint32";
    if (fold == Fold::sum && from == ElementType::of(Dtype::boolean)) return "uint32 or int64";
    return element_type_name(from);
}

void apart(const Plane& a, const Plane& b, const std::string& user, const SourceLine& where) {
    if (touches(a.extent(), b.extent()))
        refuse<InvalidArgument>(where, user + " was given " + plane_text(a) + " and " + plane_text(b) +
                                           ", which share bytes; it needs planes that do not overlap");
}

}  // namespace

NodeRef GraphDescription::copy(PlaneRef to, PlaneRef from, std::string name, SourceLine where) {
    recording_->check_open(where);
    name = recording_->node_name(std::move(name), "copy", where);
    const std::string user = "node " + in_quotes(name);
    const Plane& target = recording_->plane_of(to, user, where);
    const Plane& source = recording_->plane_of(from, user, where);
    need_dense(target, user, where);
    need_dense(source, user, where);
    if (target.type != source.type)
        refuse<BufferRefused>(where, user + " copies " + plane_text(source) + " into " + plane_text(target) +
                                         "; it needs equal element types: a kernel converts");
    if (target.ndim != source.ndim || target.shape != source.shape)
        refuse<LayoutError>(where, user + " copies " + plane_text(source) + " into " + plane_text(target) +
                                       "; it needs equal shapes: take a view of the part that is meant");
    apart(source, target, user, where);
    Node node{std::move(name), std::move(where)};
    node.accesses = {{from.index, Mode::read, false, "from"}, {to.index, Mode::write, true, "to"}};
    check_written(*recording_, node);
    node.work = Copy{to, from};
    return recording_->add(std::move(node));
}

NodeRef GraphDescription::fill(PlaneRef plane, std::span<const std::byte> pattern, std::string name, SourceLine where) {
    recording_->check_open(where);
    name = recording_->node_name(std::move(name), "fill", where);
    const std::string user = "node " + in_quotes(name);
    const Plane& filled = recording_->plane_of(plane, user, where);
    need_dense(filled, user, where);
    const std::size_t n = pattern.size();
    if (n != 1 && n != 2 && n != 4 && n != 8 && n != 16)
        refuse<InvalidArgument>(where, user + " has a pattern of " + bytes_text(n) + "; it needs 1, 2, 4, 8 or 16");
    if (filled.bytes % n != 0)
        refuse<InvalidArgument>(where, user + " has a pattern of " + bytes_text(n) + " for the " +
                                           bytes_text(filled.bytes) + " of " + plane_text(filled) +
                                           "; it needs a pattern that fits in a whole number of times");
    Node node{std::move(name), std::move(where)};
    node.accesses = {{plane.index, Mode::write, true, {}}};
    check_written(*recording_, node);
    node.work = Fill{plane, {pattern.begin(), pattern.end()}};
    return recording_->add(std::move(node));
}

NodeRef GraphDescription::fill(PlaneRef plane, double value, std::string name, SourceLine where) {
    const Plane& filled = recording_->plane_of(plane, "a fill", where);
    const auto pattern =
        at_line(where, "a fill of " + plane_text(filled), [&] { return pattern_of(filled.type, value); });
    return fill(plane, std::span<const std::byte>(pattern), std::move(name), std::move(where));
}

NodeRef GraphDescription::fill(PlaneRef plane, std::int64_t value, std::string name, SourceLine where) {
    const Plane& filled = recording_->plane_of(plane, "a fill", where);
    const auto pattern =
        at_line(where, "a fill of " + plane_text(filled), [&] { return pattern_of(filled.type, value); });
    return fill(plane, std::span<const std::byte>(pattern), std::move(name), std::move(where));
}

std::string GraphDescription::free_name(std::string_view work) const { return recording_->node_name({}, work, {}); }

NodeRef GraphDescription::host(std::function<void()> call, std::vector<PlaneRef> reads, std::vector<PlaneRef> writes,
                               std::string name, SourceLine where) {
    recording_->check_open(where);
    Node node{recording_->node_name(std::move(name), "host", where), std::move(where)};
    if (!call) refuse<InvalidArgument>(node.where, "node " + in_quotes(node.name) + " has no function; it needs one");
    refuse_in_body(*recording_, node, "a host function");
    add_planes(*recording_, node, reads, Mode::read);
    add_planes(*recording_, node, writes, Mode::write);
    check_written(*recording_, node);
    node.work = HostCall{std::move(call)};
    return recording_->add(std::move(node));
}

NodeRef GraphDescription::opaque(std::function<void(std::uint64_t)> call, std::vector<PlaneRef> reads,
                                 std::vector<PlaneRef> writes, std::string name, SourceLine where) {
    recording_->check_open(where);
    Node node{recording_->node_name(std::move(name), "opaque", where), std::move(where)};
    if (!call) refuse<InvalidArgument>(node.where, "node " + in_quotes(node.name) + " has no function; it needs one");
    refuse_in_body(*recording_, node, "opaque stream work");
    add_planes(*recording_, node, reads, Mode::read);
    add_planes(*recording_, node, writes, Mode::write);
    check_written(*recording_, node);
    node.work = Opaque{std::move(call)};
    return recording_->add(std::move(node));
}

NodeRef GraphDescription::reduce(Fold fold, PlaneRef from, PlaneRef into, std::string name, SourceLine where) {
    recording_->check_open(where);
    name = recording_->node_name(std::move(name), fold_name(fold), where);
    const std::string user = "node " + in_quotes(name);
    const Plane source = recording_->plane_of(from, user, where);
    const Plane target = recording_->plane_of(into, user, where);
    need_elements(source, user, where);
    if (!reducible(source.type))
        refuse<BufferRefused>(where, user + " reduces " + plane_text(source) +
                                         "; it needs float64, float32, int64, int32, uint32 or bool");
    if (target.size() != 1)
        refuse<LayoutError>(where, user + " reduces into " + plane_text(target) + "; it needs a plane of one element");
    if (!folds_into(fold, source.type, target.type))
        refuse<BufferRefused>(where, user + " reduces " + plane_text(source) + " into " + plane_text(target) +
                                         "; it needs " + wanted_type(fold, source.type) + " there");
    apart(source, target, user, where);
    Node node{std::move(name), std::move(where)};
    node.accesses = {{from.index, Mode::read, false, "from"}, {into.index, Mode::write, true, "into"}};
    check_written(*recording_, node);
    const auto blocks = static_cast<std::uint64_t>((source.size() + Reduce::block - 1) / Reduce::block);
    const PlaneRef workspace = recording_->hidden(node.name, "workspace", blocks, target.type, node.where);
    node.accesses.push_back({workspace.index, Mode::read_write, true, "workspace"});
    node.work = Reduce{fold, from, into, workspace};
    return recording_->add(std::move(node));
}

NodeRef GraphDescription::compact(PlaneRef mask, PlaneRef map, CellRef count, bool drop, std::string name,
                                  SourceLine where) {
    recording_->check_open(where);
    name = recording_->node_name(std::move(name), "compact", where);
    const std::string user = "node " + in_quotes(name);
    const Plane kept = recording_->plane_of(mask, user, where);
    const Plane indices = recording_->plane_of(map, user, where);
    const Plane counter = recording_->plane_of(count, user, where);
    need_dense(kept, user, where);
    need_dense(indices, user, where);
    need_type(kept, ElementType::of(Dtype::boolean), user + " as its mask", where);
    need_type(indices, ElementType::of(Dtype::int32), user + " as its map", where);
    if (kept.ndim != 1 || indices.ndim != 1 || kept.size() != indices.size())
        refuse<LayoutError>(where, user + " was given " + plane_text(kept) + " and " + plane_text(indices) +
                                       "; it needs a mask and a map of one dimension and equal length");
    if (kept.size() > std::numeric_limits<std::int32_t>::max())
        refuse<LayoutError>(
            where, user + " was given " + plane_text(kept) + "; it needs at most 2147483647 elements: split the batch");
    apart(kept, indices, user, where);
    apart(kept, counter, user, where);
    apart(indices, counter, user, where);
    Node node{std::move(name), std::move(where)};
    node.accesses = {{mask.index, Mode::read, false, "mask"},
                     {map.index, Mode::write, false, "map"},
                     {count.plane.index, Mode::write, true, "count"}};
    check_written(*recording_, node);
    const auto bytes = 12 * static_cast<std::uint64_t>(kept.size());
    const PlaneRef workspace =
        recording_->hidden(node.name, "workspace", bytes, {TypeCode::unsigned_integer, 8, 1, false}, node.where);
    node.accesses.push_back({workspace.index, Mode::read_write, true, "workspace"});
    node.work = Compact{mask, map, count, drop, workspace};
    return recording_->add(std::move(node));
}

PlaneRef GraphDescription::widen(CellRef cell, std::string name, SourceLine where) {
    recording_->check_open(where);
    const CellRef narrow = as_cell(cell.plane, where);
    const PlaneRef wide = scratch(name, {1}, Dtype::int64, where);
    const CellRef low = this->cell(name + ".low", wide, 0, where);
    fill(wide, 0, {}, where);
    copy(low, narrow, {}, where);
    return wide;
}

}  // namespace eagle
