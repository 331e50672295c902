// What the samples of a mapreduce kernel come to.
#pragma once
#include <eagle/Array.h>
#include <eagle/Plan.h>
#include <eagle/Ranks.h>
#include <eagle/graph/Node.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "exec/Launcher.h"
#include "lowering/Builtin.h"
#include "lowering/builtin/entries.h"

namespace eagle::ranks {
class Exchanges;
}

namespace eagle::exec {

// Samples are folded in blocks of so many, one after the other from the identity, and so are the blocks: as a reduction
// of a graph does it, so that every partition gives the same bits.
inline constexpr std::int64_t fold_block = graph::Reduce::block;

// The `out` planes of such a kernel hold one value a sample; the outputs of a call hold one value, of the shape that a
// sample has. Made once a plan.
class Reducer {
  public:
    // Throws BackendUnavailable when the kind has no reductions of eagle's own.
    Reducer(const Kernel& kernel, std::int32_t device);

    const Kernel& kernel() const { return kernel_; }
    std::int32_t device() const { return device_; }
    std::uint64_t reduce() const { return reduce_; }
    std::uint64_t fill() const { return fill_; }
    // The outputs of a call as a signature of their own, and where they stand in the kernel's.
    const Signature& results() const { return results_; }
    const std::vector<std::size_t>& planes() const { return planes_; }

  private:
    Kernel kernel_;
    std::int32_t device_;
    lowering::Builtin builtin_;
    std::uint64_t reduce_, fill_;
    Signature results_;
    std::vector<std::size_t> planes_;
};

// The outputs of one call, and the values that they are folded from.
class Folding {
  public:
    // `options`: of the call; results that are not given are allocated where it says so. Throws what pack() throws, and
    // LayoutError for a result of several samples.
    Folding(std::shared_ptr<const Reducer> reducer, const Arguments& arguments, marshal::Options options);

    // The arguments without the results.
    Arguments rest(const Arguments& arguments) const;
    // Makes the planes of values; for pack().
    marshal::OutAllocator& values() { return values_; }
    // Before a launch over the samples `mine`: those that a mask leaves out count as the identity.
    void clear(const Partition& mine, Launcher& launcher);
    // Folds what a launch left in the planes of `n` samples. Returns when the results are there.
    void fold(std::int64_t n, Launcher& launcher);
    // The same of this rank's samples and the others'. What fails on this rank they hear of in `exchanges`.
    void fold(std::int64_t n, Launcher& launcher, const RankPartition& ranks, ranks::Exchanges& exchanges);
    marshal::Packed& results() { return results_; }

  private:
    struct Row;  // one component of one output
    class Values final : public marshal::OutAllocator {
      public:
        explicit Values(const Reducer& reducer) : reducer_(reducer) {}
        std::shared_ptr<void> allocate(std::size_t index, const Parameter& parameter,
                                       std::span<const std::int64_t> shape, std::size_t bytes) override;
        std::vector<std::pair<std::size_t, Array>> made;  // by index in the kernel's signature

      private:
        const Reducer& reducer_;
    };

    std::vector<Row> rows(std::int64_t n);
    void fold_blocks(std::span<const Row> rows, const Partition& mine, Launcher& launcher) const;
    void fold_whole(std::span<const Row> rows, Launcher& launcher);
    template <class T>
    void put(std::uint64_t function, const T& argument, const Partition& part, std::uint64_t stream) const;

    std::shared_ptr<const Reducer> reducer_;
    Values values_;
    marshal::Packed results_;
    std::vector<Array> blocks_;  // results of the blocks, one an output
};

}  // namespace eagle::exec
