// One process of several that run the same program on the same planes: in MPI's words a rank.
#pragma once
#include <eagle/Exec.h>
#include <eagle/export.h>
#include <eagle/marshal/ArrayView.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace eagle {

// Every rank has the planes whole and does the samples of its own part. eagle knows no MPI: who runs under it gives the
// one collective that is needed. Calls of a plan with ranks are collective: every rank makes the same ones in the same
// order. Copies share one state; one caller at a time (Busy).
class EAGLE_API RankPartition {
  public:
    // Bytes [offsets[r], offsets[r + 1]) of `whole` are rank r's; when it returns all of them are there on every rank.
    // It is called on the thread that called eagle. What it throws, the call throws.
    using Allgather = std::function<void(void* whole, std::span<const std::int64_t> offsets)>;

    // `gather`: a launch ends with every written plane whole on every rank. Without it each rank has its own samples,
    // and the others' are as they were, until allgather() is called. Throws InvalidArgument for a rank out of
    // [0, size), and for no collective where there are several ranks.
    RankPartition(int rank, int size, Allgather allgather, bool gather = true);

    int rank() const;
    int size() const;
    bool gathers() const;
    // The samples of a rank: neighbouring ranges in the order of ranks, boundaries at multiples of `multiple`.
    Partition part(std::int64_t n_samples, std::int64_t multiple = 1) const;
    std::vector<Partition> parts(std::int64_t n_samples, std::int64_t multiple = 1) const;
    // Makes a plane whole on every rank that has its own samples on each. `plane`: samples along the last axis, or the
    // first where the view says so; on the host, or dense along the samples on a device. Returns when it is there.
    // Throws LayoutError, BufferRefused for one that is read-only.
    void allgather(const ArrayView& plane) const;

    struct State;
    const State& state() const { return *state_; }

  private:
    std::shared_ptr<State> state_;
};

}  // namespace eagle
