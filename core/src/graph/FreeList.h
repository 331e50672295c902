// Gaps below the highest byte ever taken, found by their size.
#pragma once
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace eagle::graph {

class FreeList {
  public:
    // The lowest of the smallest gaps that hold `bytes`; behind everything where there is none, from the gap that
    // reaches up there, if one does. O(log n).
    std::uint64_t take(std::uint64_t bytes) {
        auto found = by_size_.lower_bound({bytes, 0});
        if (found != by_size_.end()) {
            const auto [size, offset] = *found;
            remove(offset, size);
            if (size != bytes) insert(offset + bytes, size - bytes);
            return offset;
        }
        std::uint64_t offset = end_;
        if (!by_offset_.empty()) {
            const auto [last, size] = *by_offset_.rbegin();
            if (last + size == end_) remove(offset = last, size);
        }
        end_ = offset + bytes;
        return offset;
    }
    void give_back(std::uint64_t offset, std::uint64_t bytes) {
        const auto after = by_offset_.lower_bound(offset);
        if (after != by_offset_.begin()) {
            const auto [begin, size] = *std::prev(after);
            if (begin + size == offset) {
                remove(begin, size);
                offset = begin;
                bytes += size;
            }
        }
        if (const auto next = by_offset_.find(offset + bytes); next != by_offset_.end()) {
            const std::uint64_t more = next->second;
            remove(offset + bytes, more);
            bytes += more;
        }
        insert(offset, bytes);
    }

  private:
    void insert(std::uint64_t offset, std::uint64_t size) {
        by_offset_.emplace(offset, size);
        by_size_.emplace(size, offset);
    }
    void remove(std::uint64_t offset, std::uint64_t size) {
        by_offset_.erase(offset);
        by_size_.erase({size, offset});
    }
    std::map<std::uint64_t, std::uint64_t> by_offset_;  // gaps, no two of which touch
    std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_;
    std::uint64_t end_ = 0;
};

}  // namespace eagle::graph
