#include "active/Moving.h"

#include <eagle/Error.h>
#include <eagle/marshal/ShapeText.h>

#include <iterator>

namespace eagle::active {
namespace {

constexpr std::size_t mask_number = 0, map_number = 1, first_plane = 2;

std::uint64_t address_of(const ArrayView& view) { return reinterpret_cast<std::uint64_t>(view.data); }

std::string text_of(std::size_t number, const ArrayView& view) {
    const std::string is = " (" + element_type_name(view.type) + " of shape " + shape_text(view) + ")";
    if (number == mask_number) return "the mask" + is;
    if (number == map_number) return "the index map of this set" + is;
    return "plane " + std::to_string(number - first_plane) + is;
}

}  // namespace

Moving::Moving(const ArrayView& mask, const ArrayView& index_map)
    : n_(mask.size()), rows_{{address_of(mask), 1}}, arrays_{mask, index_map} {
    if (n_ == 0) return;
    taken_.emplace(address_of(mask), Taken{1, mask_number});
    taken_.emplace(address_of(index_map), Taken{sizeof(std::int32_t), map_number});
}

std::vector<Row> Moving::fresh_rows(const ArrayView& plane) const {
    std::vector<Row> fresh;
    ByAddress seen;
    for (const Row& row : rows_of(plane, n_)) {
        if (known(taken_, row, plane) || known(seen, row, plane)) continue;
        seen.emplace(row.address, Taken{row.bytes, arrays_.size()});
        fresh.push_back(row);
    }
    return fresh;
}

void Moving::add(const ArrayView& plane, const std::vector<Row>& fresh) {
    for (const Row& row : fresh) taken_.emplace(row.address, Taken{row.bytes, arrays_.size()});
    rows_.insert(rows_.end(), fresh.begin(), fresh.end());
    arrays_.push_back(plane);
}

bool Moving::known(const ByAddress& taken, const Row& row, const ArrayView& plane) const {
    const auto end = [this](std::uint64_t begin, std::uint32_t bytes) {
        return begin + bytes * static_cast<std::uint64_t>(n_);
    };
    const auto behind = taken.upper_bound(row.address);
    if (behind != taken.begin()) {
        const auto& [begin, other] = *std::prev(behind);
        if (begin == row.address && other.bytes == row.bytes && other.array != map_number) return true;
        if (row.address < end(begin, other.bytes)) refuse(other.array, plane);
    }
    if (behind != taken.end() && behind->first < end(row.address, row.bytes)) refuse(behind->second.array, plane);
    return false;
}

void Moving::refuse(std::size_t met, const ArrayView& plane) const {
    const std::size_t number = arrays_.size();
    if (met == number)
        throw BufferRefused(text_of(number, plane) +
                            " has components that share bytes in part, and a reorder moves each by itself; they must "
                            "lie apart: give a dense copy");
    throw BufferRefused(text_of(number, plane) + " shares bytes with " + text_of(met, arrays_[met]) +
                        ", and a reorder moves each by itself; the planes of a set must lie apart: give a copy of " +
                        (met == map_number ? "it" : "one of them"));
}

}  // namespace eagle::active
