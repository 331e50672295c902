#include "ranks/Gather.h"

#include <eagle/Backend.h>
#include <eagle/Error.h>
#include <eagle/Memory.h>
#include <eagle/Stream.h>

#include <cstring>
#include <exception>
#include <optional>

#include "ranks/Agree.h"
#include "ranks/State.h"

namespace eagle::ranks {
namespace {

// Byte offsets of the components of a sample: every index over the axes but `samples`, in row-major order.
std::vector<std::int64_t> components(const ArrayView& plane, int samples) {
    std::vector<std::int64_t> offsets{0};
    for (int axis = 0; axis < plane.ndim; ++axis) {
        if (axis == samples) continue;
        const auto k = static_cast<std::size_t>(axis);
        std::vector<std::int64_t> next;
        next.reserve(offsets.size() * static_cast<std::size_t>(plane.shape[k]));
        for (const std::int64_t offset : offsets)
            for (std::int64_t i = 0; i < plane.shape[k]; ++i) next.push_back(offset + i * plane.strides[k]);
        offsets = std::move(next);
    }
    return offsets;
}

bool side_by_side(const std::vector<std::int64_t>& offsets, std::int64_t item, std::int64_t stride) {
    for (std::size_t i = 0; i < offsets.size(); ++i)
        if (offsets[i] != static_cast<std::int64_t>(i) * item) return false;
    return stride == static_cast<std::int64_t>(offsets.size()) * item;
}

std::vector<std::int64_t> offsets_of(std::span<const Partition> parts, std::int64_t item) {
    std::vector<std::int64_t> offsets{0};
    for (const Partition& part : parts) offsets.push_back((part.base + part.count) * item);
    return offsets;
}

// Where one rank has no memory for an exchange, none of them begins it.
template <class Body>
void with_room(const RankPartition::State& ranks, const Body& body) {
    together(ranks, "room for an exchange", body, [] { return Doing{"room for an exchange"}; });
}

// What fails here in the middle of an exchange does not keep the others waiting: it is raised behind it.
class First {
  public:
    template <class Body>
    void of(const Body& body) {
        if (failure_) return;
        try {
            body();
        } catch (...) {
            failure_ = std::current_exception();
        }
    }
    void raise() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    std::exception_ptr failure_;
};

// The memory of a device, which the collective does not know: over the host.
class Staging {
  public:
    Staging(const Rows& rows)
        : stream_(Backend::load(kind_of_device_type(rows.device_type)), rows.device_id),
          bytes_(static_cast<std::size_t>(rows.samples * rows.item)) {}
    std::byte* data() { return bytes_.data(); }
    void read(const std::byte* row, std::int64_t from, std::int64_t to) {
        copy_range(reinterpret_cast<std::uint64_t>(bytes_.data()), reinterpret_cast<std::uint64_t>(row), from, to,
                   CopyKind::device_to_host);
        stream_.synchronize();
    }
    void write(std::byte* row, std::int64_t from, std::int64_t to) {
        copy_range(reinterpret_cast<std::uint64_t>(row), reinterpret_cast<std::uint64_t>(bytes_.data()), from, to,
                   CopyKind::host_to_device);
    }
    void synchronize() { stream_.synchronize(); }

  private:
    void copy_range(std::uint64_t to_row, std::uint64_t from_row, std::int64_t from, std::int64_t to, CopyKind kind) {
        if (from == to) return;
        const auto at = static_cast<std::uint64_t>(from);
        copy(stream_.backend(), to_row + at, from_row + at, static_cast<std::uint64_t>(to - from), kind,
             stream_.native());
    }
    Stream stream_;
    std::vector<std::byte> bytes_;
};

void gather_on_device(const RankPartition::State& ranks, const Rows& rows, std::span<const std::int64_t> offsets) {
    std::optional<Staging> staging;
    with_room(ranks, [&] { staging.emplace(rows); });
    const auto mine = static_cast<std::size_t>(ranks.rank);
    First failed;
    for (std::byte* const row : rows.begins) {
        failed.of([&] { staging->read(row, offsets[mine], offsets[mine + 1]); });
        ranks.exchange(staging->data(), offsets);
        failed.of([&] {
            staging->write(row, 0, offsets[mine]);
            staging->write(row, offsets[mine + 1], offsets.back());
            staging->synchronize();
        });
    }
    failed.raise();
}

// Copies samples [from, to) of a row between its place and a dense copy of it.
void move_samples(const Rows& rows, std::byte* row, std::byte* dense, std::int64_t from, std::int64_t to, bool back) {
    const auto item = static_cast<std::size_t>(rows.item);
    for (std::int64_t i = from; i < to; ++i) {
        std::byte* const place = row + i * rows.stride;
        std::byte* const copy = dense + i * rows.item;
        back ? std::memcpy(place, copy, item) : std::memcpy(copy, place, item);
    }
}

void gather_scattered(const RankPartition::State& ranks, const Rows& rows, const Partition& mine,
                      std::span<const std::int64_t> offsets) {
    std::vector<std::byte> dense;
    with_room(ranks, [&] { dense.resize(static_cast<std::size_t>(rows.samples * rows.item)); });
    for (std::byte* const row : rows.begins) {
        move_samples(rows, row, dense.data(), mine.base, mine.base + mine.count, false);
        ranks.exchange(dense.data(), offsets);
        move_samples(rows, row, dense.data(), 0, mine.base, true);
        move_samples(rows, row, dense.data(), mine.base + mine.count, rows.samples, true);
    }
}

}  // namespace

Rows rows_of(const ArrayView& plane, const std::string& what) {
    if (plane.read_only) throw BufferRefused(what + " is read-only; what the other ranks have is written into it");
    if (plane.ndim < 1) throw LayoutError(what + " has no axis; it needs one that counts samples");
    const int axis = plane.axis == SamplesAxis::first ? 0 : plane.ndim - 1;
    const auto k = static_cast<std::size_t>(axis);
    Rows rows;
    rows.samples = plane.shape[k];
    rows.stride = plane.strides[k];
    rows.item = plane.type.bits / 8 * plane.type.lanes;
    rows.device_type = plane.device_type;
    rows.device_id = plane.device_id;
    const std::vector<std::int64_t> offsets = components(plane, axis);
    auto* const data = static_cast<std::byte*>(plane.data);
    if (side_by_side(offsets, rows.item, rows.stride)) {
        rows.begins = {data};
        rows.item = rows.stride;
    } else {
        for (const std::int64_t offset : offsets) rows.begins.push_back(data + offset);
    }
    if (rows.device_type != 1 && rows.samples > 1 && rows.stride != rows.item)
        throw LayoutError(what + " lies on a device with " + std::to_string(rows.stride) +
                          " bytes from sample to sample, and has " + std::to_string(rows.item) +
                          " a sample; ranks exchange planes of a device whose samples lie one after the other: pass a "
                          "contiguous copy");
    return rows;
}

void gather(const RankPartition::State& ranks, const Rows& rows, std::span<const Partition> parts) {
    if (ranks.size == 1 || rows.samples == 0) return;
    const std::vector<std::int64_t> offsets = offsets_of(parts, rows.item);
    if (rows.device_type != 1) return gather_on_device(ranks, rows, offsets);
    if (rows.stride != rows.item && rows.samples > 1)
        return gather_scattered(ranks, rows, parts[static_cast<std::size_t>(ranks.rank)], offsets);
    for (std::byte* const row : rows.begins) ranks.exchange(row, offsets);
}

}  // namespace eagle::ranks
