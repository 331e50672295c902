// Which samples of a batch are still at work, for loops of one's own.
#pragma once
#include <eagle/Array.h>
#include <eagle/export.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace eagle {

struct ActiveSetOptions {
    // A byte of the mask that is not zero marks a live sample; otherwise it marks a finished one, as the `terminated`
    // plane of a kernel does.
    bool mask_is_live = false;
    // Raw stream that the work is put on, and which outlives the set; 0 is the device's default stream, which runs
    // behind and before all work of blocking streams.
    std::uint64_t stream = 0;
    // In (0, 1): reorder_if_worth() moves the samples when fewer than this share of the slots is live in those groups
    // of 32 neighbours that hold a live one.
    float theta = 0.5F;
};

// Over a mask of N samples, on the host or on a device. A slot is a place in the planes; before the first reorder slot
// i holds sample i. Samples that finished stay finished until reset(). The caller keeps the mask and the planes alive,
// and nobody else writes them during a call. One caller at a time (Busy); a set that was moved from throws BadHandle.
class EAGLE_API ActiveSet {
  public:
    // Called on the calling thread with the numbers of samples, ascending.
    using Finished = std::function<void(std::span<const std::int32_t> samples)>;

    // `mask`: bool or uint8, (N,), dense. Throws BufferRefused or LayoutError for another array, InvalidArgument for a
    // theta out of range, Unsupported for 2^31 samples or more, BackendUnavailable where no backend serves its device
    // or that backend has no group `filtering`.
    explicit ActiveSet(const ArrayView& mask, const ActiveSetOptions& options = {});
    ~ActiveSet();
    ActiveSet(ActiveSet&&) noexcept;
    ActiveSet& operator=(ActiveSet&&) noexcept;

    // A plane that moves with the mask: (N,) or components first, (..., N), each row dense; (N, ...) where a sample has
    // 1, 2, 4, 8 or 16 bytes together. A plane that is known already is taken as it is. Throws LayoutError or
    // BufferRefused for one that cannot be moved, such as one on a part of another, InvalidArgument while the samples
    // are out of order.
    ActiveSet& add(const ArrayView& plane);

    // Finds the live samples. Reads nothing back, unless when_finished() has something to tell.
    ActiveSet& compact();
    // Moves the live samples of every plane to the front, in place and in their order; the others follow in theirs.
    // Throws BufferRefused where the mask is read-only, BackendUnavailable naming the symbol where the backend cannot.
    ActiveSet& reorder();
    // compact(), then the same, if it pays: at least 4096 slots in use, and `theta`. Decided where the mask lies.
    ActiveSet& reorder_if_worth();
    // Every plane back in the order of samples, exactly; over the host where the kind has no kernels of eagle's own.
    ActiveSet& restore();
    // The planes hold a new batch, in the order of samples.
    ActiveSet& reset();

    std::int64_t samples() const;  // N
    // Samples that the last compact() or reorder() found live; looks now where there was none. Waits for it.
    std::int64_t live();
    // Whether it would pay to move them, by the last compact(): what reorder_if_worth() decides by. Waits for it.
    bool worth_reordering();
    // The slots [0, live_span()) hold every live sample. Waits for the last reorder.
    std::int64_t live_span();
    // The sample in a slot. Throws IndexError out of [0, N).
    std::int64_t sample_of(std::int64_t slot);
    // sample_of() of every slot.
    std::vector<std::int32_t> order();

    // int32 (N,), where the mask lies: the slots of live samples, ascending, in the first *count() elements.
    const Array& index_map() const;
    // uint32 (1,), where the mask lies.
    const Array& count() const;

    // At each compact(), the samples that finished since the one before, if there are any; the first counts from this
    // call or reset(). An empty function ends it.
    ActiveSet& when_finished(Finished hook);

    struct State;

  private:
    State& state() const;
    std::unique_ptr<State> state_;
};

}  // namespace eagle
