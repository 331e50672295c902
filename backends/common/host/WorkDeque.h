// A work-stealing deque of fixed size: a graph knows how many nodes it has. Chase and Lev's, with sequentially
// consistent accesses in place of fences, which ThreadSanitizer does not know.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace eagle::host {

class WorkDeque {
  public:
    void reserve(std::size_t most) {
        std::size_t size = 16;
        while (size < most + 1) size *= 2;
        places_ = std::make_unique<std::atomic<std::uint32_t>[]>(size);
        mask_ = static_cast<std::int64_t>(size) - 1;
    }
    // While nobody else looks at it.
    void clear() {
        top_.store(0, std::memory_order_relaxed);
        bottom_.store(0, std::memory_order_relaxed);
    }
    // push and pop: by its owner alone.
    void push(std::uint32_t value) {
        std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
        at(bottom).store(value, std::memory_order_relaxed);
        bottom_.store(bottom + 1, std::memory_order_release);
    }
    bool pop(std::uint32_t& value) {
        std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
        if (top_.load(std::memory_order_relaxed) > bottom) return false;  // empty, the common case, needs no fence
        bottom_.store(bottom, std::memory_order_seq_cst);
        std::int64_t top = top_.load(std::memory_order_seq_cst);
        bool got = top <= bottom;
        if (got) value = at(bottom).load(std::memory_order_relaxed);
        if (got && top == bottom) {  // the last one: a thief may be after it
            got = top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
            bottom_.store(bottom + 1, std::memory_order_relaxed);
        } else if (!got) {
            bottom_.store(bottom + 1, std::memory_order_relaxed);
        }
        return got;
    }
    bool steal(std::uint32_t& value) {
        std::int64_t top = top_.load(std::memory_order_seq_cst), bottom = bottom_.load(std::memory_order_seq_cst);
        if (top >= bottom) return false;
        value = at(top).load(std::memory_order_relaxed);
        return top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
    }

  private:
    std::atomic<std::uint32_t>& at(std::int64_t place) { return places_[static_cast<std::size_t>(place & mask_)]; }

    alignas(64) std::atomic<std::int64_t> top_{0};
    alignas(64) std::atomic<std::int64_t> bottom_{0};
    std::unique_ptr<std::atomic<std::uint32_t>[]> places_;
    std::int64_t mask_ = 0;
};

}  // namespace eagle::host
