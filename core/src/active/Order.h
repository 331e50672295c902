// The order of the samples in their planes: what the seam's reorder keeps, and the way back.
#pragma once
#include <eagle/Array.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "active/Queue.h"
#include "active/Rows.h"
#include "lowering/Builtin.h"

namespace eagle::active {

// Cells of one uint32 each, where the mask lies.
struct Cells {
    Cells(const Backend& backend, std::int32_t device, std::uint32_t n);
    Array count, span, trigger;  // trigger: live groups, fire
    std::uint64_t count_at, span_at, groups_at, fire_at;
};

// What the calls of the seam share.
struct Site {
    Queue& queue;
    Cells& cells;
    std::uint64_t mask, index_map;
    std::int64_t n;
    std::uint32_t flags;
};

class Order {
  public:
    // Begins with the identity. Throws BackendUnavailable naming the symbol that the backend has not.
    explicit Order(Site site);

    // Live samples of every row to the front; the mask is one of them. `if_fired`: as the last compaction decided.
    void reorder(std::span<const Row> rows, bool if_fired);
    // Every row back in the order of samples.
    void restore(std::span<const Row> rows);
    void reset();
    // slot -> sample, on the host.
    const std::vector<std::int32_t>& samples();
    // Whether the samples may be out of order.
    bool moved() const { return moved_; }

  private:
    void scratch_of(std::uint64_t bytes);
    void restore_there(std::span<const Row> rows, std::uint64_t gather);
    void restore_over_host(std::span<const Row> rows);
    Site site_;
    Array perm_, inv_, scratch_;
    lowering::Builtin builtin_;
    std::optional<std::vector<std::int32_t>> samples_;
    bool moved_ = false;
};

// Address of an array's memory.
inline std::uint64_t address(const Array& array) { return reinterpret_cast<std::uint64_t>(array.view().data); }

}  // namespace eagle::active
