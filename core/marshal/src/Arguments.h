// The arguments of one call while they are checked and packed: what Packed holds.
#pragma once
#include <eagle/marshal/Pack.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "Layout.h"
#include "Overlap.h"

namespace eagle::marshal {

// Where an argument stands.
struct Slot {
    Block block;
    ArrayView view;   // the caller's array, or the allocated one
    Reading reading;  // of `view`
    std::shared_ptr<void> memory;
    Obstacle obstacle = Obstacle::none;  // to reading `view` in place
    bool same_type = true;
    std::uintptr_t low = 0, high = 0;     // the bytes of `view` lie in [low, high)
    alignas(8) std::byte number[8] = {};  // a single number given for a scalar plane
    bool plane = false;                   // an array is bound
    bool written = false;
    bool allocated = false;  // `memory` is an output for the caller
    bool copied = false;     // the kernel sees `memory`, a native copy of `view`

    Slot() { block.size = 0; }
};

struct Arguments {
    const Signature& signature;
    Options options;
    std::int64_t samples = 1;
    bool one = true;
    std::size_t count;
    Slot* slots;
    void** params;  // where the signature has a v1 entry, its address stands before the first, and so of sizes
    std::uint64_t* sizes;
    std::uint64_t whole_entry;
    std::vector<Notice> notices;

    Arguments(const Signature& s, const Options& o);
    ~Arguments();
    Arguments(const Arguments&) = delete;
    Arguments& operator=(const Arguments&) = delete;

    // One allocation holds the object and its slots: a call is meant to cost less than a small kernel.
    static void* operator new(std::size_t size, const Signature& signature);
    static void operator delete(void* memory);
    static void operator delete(void* memory, const Signature&) { operator delete(memory); }

    // Entries of `params` before the arguments.
    std::size_t ahead() const { return whole_entry != 0 ? 1 : 0; }
    const Parameter& parameter(std::size_t i) const { return signature.parameters[i]; }
    bool samples_plane(std::size_t i) const { return slots[i].plane && parameter(i).is_sample_plane(); }
};

struct Packed::State : Arguments {
    using Arguments::Arguments;
};

// The steps of pack(), in the order in which they run. All but bind_* only look.
void admit(Arguments& arguments, std::size_t i, const Value* value);      // kind of value; missing ones
void check_devices(const Arguments& arguments);                           // all planes on the device of the call
void check_plane(const Arguments& arguments, std::size_t i, Slot& slot);  // dtype, memory, axes, writability
void vote(Arguments& arguments);                                          // one sample or a batch, and how long
void check_overlap(const Arguments& arguments, std::size_t i, const Slot& slot);  // against every other plane
void bind_plane(Arguments& arguments, std::size_t i, Slot& slot);  // copies where it must, fills the block
void allocate_out(Arguments& arguments, std::size_t i);
void fill_view_block(const Parameter& parameter, Slot& slot, void* data);

}  // namespace eagle::marshal
