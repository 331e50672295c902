#include <eagle/Error.h>
#include <eagle/marshal/Pack.h>
#include <eagle/marshal/WholeEntry.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "Arguments.h"

namespace eagle::marshal {

OutAllocator::~OutAllocator() = default;

// ---- one block of memory for an Arguments and what it points to ----

namespace {

constexpr std::size_t slots_at = (sizeof(Arguments) + alignof(Slot) - 1) / alignof(Slot) * alignof(Slot);
constexpr std::size_t slot_bytes = sizeof(Slot) + sizeof(void*) + sizeof(std::uint64_t);

// The block of the last small call of this thread, kept for the next: it is above what malloc keeps at hand.
struct Spare {
    static constexpr std::size_t bytes = slots_at + 12 * slot_bytes;
    void* block = nullptr;
    ~Spare() { ::operator delete(block); }
};
thread_local Spare spare;

// Before a block: whether it may become a spare one.
struct alignas(std::max_align_t) Header {
    bool small;
};

}  // namespace

void* Arguments::operator new(std::size_t, const Signature& signature) {
    std::size_t needed = slots_at + signature.parameters.size() * slot_bytes;
    if (signature.whole_entry != 0) needed += sizeof(void*) + sizeof(std::uint64_t);
    bool small = needed <= Spare::bytes;
    void* block = small ? std::exchange(spare.block, nullptr) : nullptr;
    if (block == nullptr) block = ::operator new(sizeof(Header) + (small ? Spare::bytes : needed));
    return new (block) Header{small} + 1;
}

void Arguments::operator delete(void* memory) {
    Header* header = static_cast<Header*>(memory) - 1;
    if (header->small && spare.block == nullptr)
        spare.block = header;
    else
        ::operator delete(header);
}

Arguments::Arguments(const Signature& s, const Options& o)
    : signature(s), options(o), count(s.parameters.size()), whole_entry(s.whole_entry) {
    slots = reinterpret_cast<Slot*>(reinterpret_cast<std::byte*>(this) + slots_at);
    params = reinterpret_cast<void**>(slots + count) + ahead();
    sizes = reinterpret_cast<std::uint64_t*>(params + count) + ahead();
    if (whole_entry != 0) {
        params[-1] = &whole_entry;
        sizes[-1] = sizeof whole_entry;
    }
    for (std::size_t i = 0; i < count; ++i) params[i] = &(new (slots + i) Slot)->block;
}

Arguments::~Arguments() {
    for (std::size_t i = 0; i < count; ++i) slots[i].~Slot();
}

// ---- pack ----

namespace {

// A v1 entry counts its samples in 32 bits.
void check_whole(const Arguments& a) {
    if (a.whole_entry == 0 || a.samples <= most_whole_samples) return;
    throw LayoutError("kernel '" + a.signature.kernel + "' was given " + std::to_string(a.samples) +
                      " samples; its v1 entry takes at most " + std::to_string(most_whole_samples) +
                      " in one call: give it fewer, or build the artifact again with schema v2");
}

// Blocks of what the caller does not give: the planes of the loader, and the number of samples.
void fill_rest(Arguments& a) {
    for (std::size_t i = 0; i < a.count; ++i) {
        Slot& slot = a.slots[i];
        const Parameter& p = a.parameter(i);
        if (p.role == Role::nsamples) {
            auto n = static_cast<std::uint32_t>(a.samples);
            std::memcpy(slot.block.bytes, &n, sizeof n);
            slot.block.size = sizeof n;
        } else if (p.supplied() && !slot.plane) {
            slot.view.type = ElementType::of(p.dtype);
            slot.view.device_type = a.options.device_type;
            slot.view.device_id = a.options.device_id;
            slot.reading.samples = 0;
            fill_view_block(p, slot, nullptr);
        }
        a.sizes[i] = slot.block.size;
    }
}

}  // namespace

Packed pack(const Signature& signature, std::span<const Value* const> values, const Options& options) {
    if (values.size() != signature.parameters.size())
        throw ArgumentError(std::to_string(values.size()) + " places for kernel '" + signature.kernel +
                            "', which has " + std::to_string(signature.parameters.size()) +
                            " parameters; each needs one");
    static_assert(sizeof(Packed::State) == sizeof(Arguments), "the slots lie right behind it");
    Packed packed;
    packed.state_.reset(new (signature) Packed::State(signature, options));
    Arguments& a = *packed.state_;
    for (std::size_t i = 0; i < a.count; ++i) admit(a, i, values[i]);
    check_devices(a);
    for (std::size_t i = 0; i < a.count; ++i)
        if (a.slots[i].plane) check_plane(a, i, a.slots[i]);
    vote(a);
    check_whole(a);
    for (std::size_t i = 0; i < a.count; ++i)
        if (a.slots[i].plane && a.slots[i].written) check_overlap(a, i, a.slots[i]);
    for (std::size_t i = 0; i < a.count; ++i)
        if (a.slots[i].plane) bind_plane(a, i, a.slots[i]);
    for (std::size_t i = 0; i < a.count; ++i)
        if (!a.slots[i].plane && a.parameter(i).role == Role::out && !a.parameter(i).supplied()) allocate_out(a, i);
    a.options.allocator = nullptr;
    fill_rest(a);
    return packed;
}

}  // namespace eagle::marshal
