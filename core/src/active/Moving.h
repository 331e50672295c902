// What a set moves: rows that lie apart, each by itself.
#pragma once
#include <eagle/marshal/ArrayView.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "active/Rows.h"

namespace eagle::active {

class Moving {
  public:
    // `index_map` is written by the set, so that no plane may lie there.
    Moving(const ArrayView& mask, const ArrayView& index_map);

    // The rows of a plane, without those that are known. Throws what rows_of() throws, and BufferRefused naming both
    // where one lies on a part of another.
    std::vector<Row> fresh_rows(const ArrayView& plane) const;
    // Takes a plane with the rows that fresh_rows() gave of it.
    void add(const ArrayView& plane, const std::vector<Row>& fresh);
    // The mask's, then those of the planes in the order in which they came.
    const std::vector<Row>& rows() const { return rows_; }

  private:
    struct Taken {
        std::uint32_t bytes;  // of a sample
        std::size_t array;
    };
    using ByAddress = std::map<std::uint64_t, Taken>;

    // Whether the row is among those taken. Throws where it lies on a part of one.
    bool known(const ByAddress& taken, const Row& row, const ArrayView& plane) const;
    [[noreturn]] void refuse(std::size_t met, const ArrayView& plane) const;

    std::int64_t n_;
    std::vector<Row> rows_;
    ByAddress taken_;
    std::vector<ArrayView> arrays_;  // the mask, the index map, the planes
};

}  // namespace eagle::active
