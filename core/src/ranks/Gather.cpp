#include "ranks/Gather.h"

#include <eagle/Backend.h>
#include <eagle/Error.h>
#include <eagle/Memory.h>
#include <eagle/Stream.h>

#include <algorithm>
#include <cstring>
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

// The memory of a device, which the collective does not know: over the host.
class Staging {
  public:
    explicit Staging(const Rows& rows)
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

void gather_on_device(Exchanges& exchanges, std::size_t mine, const Rows& rows, std::span<const Partition> parts) {
    std::optional<Staging> staging;
    std::vector<std::int64_t> offsets;
    exchanges.prepare([&] {
        offsets = offsets_of(parts, rows.item);
        staging.emplace(rows);
    });
    for (std::byte* const row : rows.begins) {
        Piece piece{};
        exchanges.prepare([&] {
            staging->read(row, offsets[mine], offsets[mine + 1]);
            piece = {staging->data(), offsets};
        });
        exchanges.exchange(std::span(&piece, 1));
        exchanges.prepare([&] {
            staging->write(row, 0, offsets[mine]);
            staging->write(row, offsets[mine + 1], offsets.back());
            staging->synchronize();
        });
    }
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

void gather_scattered(Exchanges& exchanges, std::size_t rank, const Rows& rows, std::span<const Partition> parts) {
    std::vector<std::byte> dense;
    std::vector<std::int64_t> offsets;
    exchanges.prepare([&] {
        offsets = offsets_of(parts, rows.item);
        dense.resize(static_cast<std::size_t>(rows.samples * rows.item));
    });
    for (std::byte* const row : rows.begins) {
        exchanges.prepare([&] {
            const Partition& mine = parts[rank];
            move_samples(rows, row, dense.data(), mine.base, mine.base + mine.count, false);
        });
        const Piece piece{dense.data(), offsets};
        exchanges.exchange(std::span(&piece, 1));
        exchanges.prepare([&] {
            const Partition& mine = parts[rank];
            move_samples(rows, row, dense.data(), 0, mine.base, true);
            move_samples(rows, row, dense.data(), mine.base + mine.count, rows.samples, true);
        });
    }
}

bool on_host(const Rows& rows) { return rows.device_type == 1; }
bool in_place(const Rows& rows) { return on_host(rows) && (rows.stride == rows.item || rows.samples == 1); }

// All behind one meeting.
void gather_in_place(Exchanges& exchanges, std::span<const Rows> planes, std::span<const Partition> parts) {
    if (std::ranges::none_of(planes, in_place)) return;
    std::vector<std::vector<std::int64_t>> offsets;
    std::vector<Piece> pieces;
    exchanges.prepare([&] {
        offsets.reserve(planes.size());
        for (const Rows& rows : planes) {
            if (!in_place(rows)) continue;
            offsets.push_back(offsets_of(parts, rows.item));
            for (std::byte* const row : rows.begins) pieces.push_back({row, offsets.back()});
        }
    });
    exchanges.exchange(pieces);
}

}  // namespace

Rows rows_of(const ArrayView& plane, const std::string& what) {
    if (plane.read_only)
        throw BufferRefused(
            what +
            " is read-only, and what the other ranks have is written into it; give an array that may be written");
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

void gather(const RankPartition::State& ranks, Exchanges& exchanges, std::span<const Rows> planes,
            std::span<const Partition> parts) {
    if (ranks.size == 1) return;
    gather_in_place(exchanges, planes, parts);
    const auto mine = static_cast<std::size_t>(ranks.rank);
    for (const Rows& rows : planes) {
        if (in_place(rows)) continue;
        on_host(rows) ? gather_scattered(exchanges, mine, rows, parts) : gather_on_device(exchanges, mine, rows, parts);
    }
}

}  // namespace eagle::ranks
