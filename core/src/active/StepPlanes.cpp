#include "active/StepPlanes.h"

#include <eagle/Error.h>

#include <algorithm>

#include "active/Order.h"
#include "backend/Entry.h"

namespace eagle::active {
namespace {

// Components next to each other, as one element a sample.
ArrayView samples_first(const ArrayView& view) {
    ArrayView turned = view;
    std::swap(turned.shape[0], turned.shape[1]);
    std::swap(turned.strides[0], turned.strides[1]);
    turned.axis = SamplesAxis::first;
    return turned;
}

bool by_sample(const ArrayView& view) {
    const std::int64_t size = view.type.bits / 8;
    return view.shape[0] > 1 && view.strides[0] == size && view.strides[1] == size * view.shape[0];
}

bool contains(const std::vector<Row>& rows, const Row& row) {
    return std::find(rows.begin(), rows.end(), row) != rows.end();
}

bool overlap(const Row& a, const Row& b, std::int64_t n) {
    const auto samples = static_cast<std::uint64_t>(n);
    return a.address < b.address + b.bytes * samples && b.address < a.address + a.bytes * samples;
}

ArrayView view_of(const Row& row, std::int64_t n, std::int32_t device_type, std::int32_t device_id) {
    ArrayView view;
    view.data = reinterpret_cast<void*>(row.address);
    view.type = {TypeCode::opaque, static_cast<std::uint8_t>(8 * row.bytes), 1, false};
    view.ndim = 1;
    view.shape[0] = n;
    view.strides[0] = row.bytes;
    view.device_type = device_type;
    view.device_id = device_id;
    return view;
}

std::string why_kernel_stays(const Kernel& kernel) {
    if (kernel.access() == "sample_local") return "";
    return "kernel '" + kernel.name() + "' is " +
           (kernel.access().empty() ? "from a v1 artifact, which says not what it reads" : kernel.access());
}

std::string why_kind_stays(const Backend& backend) {
    const auto& seam = backend.table();
    return seam.reorder_device && seam.reset_device ? "" : "kind '" + backend.kind() + "' has no reorder";
}

}  // namespace

StepPlanes::StepPlanes(const StepParts& parts, const Array& steps)
    : n_(parts.front()->samples()), device_type_(steps.view().device_type), device_id_(steps.view().device_id) {
    for (const auto& part : parts)
        if (obstacle_.empty()) obstacle_ = why_kernel_stays(part->kernel());
    if (obstacle_.empty()) obstacle_ = why_kind_stays(parts.front()->kernel().backend());
    written_.push_back({address(steps), sizeof(std::int64_t)});
    for (const auto& part : parts)
        for (const StepPart::Plane& plane : part->planes())
            if (obstacle_.empty()) take(*part, plane);
    if (obstacle_.empty()) settle_inputs();
}

void StepPlanes::take(StepPart& part, const StepPart::Plane& plane) {
    if (!plane.written && plane.view.strides[1] == 0) return;  // one value for all
    std::vector<Row> rows;
    try {
        rows = rows_of(by_sample(plane.view) ? samples_first(plane.view) : plane.view, n_);
    } catch (const InvalidArgument& error) {
        obstacle_ = "'" + part.kernel().signature().parameters[plane.index].name + "': " + error.what();
        return;
    }
    if (!plane.written) return inputs_.push_back({&part, plane.index, plane.view, std::move(rows)});
    for (const Row& row : rows)
        if (!contains(written_, row)) written_.push_back(row);
}

// An input that another kernel writes moves with that; the others need a copy each.
void StepPlanes::settle_inputs() {
    const auto clash = [&](const Row& row) {
        return std::any_of(written_.begin(), written_.end(),
                           [&](const Row& other) { return !(row == other) && overlap(row, other, n_); });
    };
    for (const Row& row : written_)
        if (clash(row)) obstacle_ = "planes that are written share memory in part";
    for (const Input& input : inputs_)
        for (const Row& row : input.rows)
            if (clash(row)) obstacle_ = "planes share memory in part";
    std::erase_if(inputs_, [&](const Input& input) {
        return std::all_of(input.rows.begin(), input.rows.end(),
                           [&](const Row& row) { return contains(written_, row); });
    });
    for (const Input& input : inputs_)
        for (const Row& row : input.rows)
            if (contains(written_, row)) obstacle_ = "planes share memory in part";
}

void StepPlanes::add_to(ActiveSet& set, Queue& queue) {
    for (const Input& input : inputs_) copy(input, set, queue);
    inputs_.clear();
    for (const Row& row : written_) set.add(view_of(row, n_, device_type_, device_id_));
    written_.clear();
}

void StepPlanes::copy(const Input& input, ActiveSet& set, Queue& queue) {
    const auto size = static_cast<std::uint64_t>(input.view.type.bits / 8);
    const auto n = static_cast<std::uint64_t>(n_);
    const std::int64_t bytes[] = {static_cast<std::int64_t>(n * size) * input.view.shape[0]};
    Array made = Array::empty(bytes, Dtype::boolean, queue.backend(), queue.device());
    queue.follow_default_stream();
    std::uint64_t to = address(made);
    const std::uint64_t begin = to;
    for (const Row& row : input.rows) {
        queue.copy(to, row.address, n * row.bytes);
        set.add(view_of({to, row.bytes}, n_, device_type_, device_id_));
        to += n * row.bytes;
    }
    input.part->move_plane(input.index, begin, by_sample(input.view));
    copies_.push_back(std::move(made));
}

}  // namespace eagle::active
