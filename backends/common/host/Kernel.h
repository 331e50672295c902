// One launch of a host kernel: entry(params, base, count, n_samples), shared over the team.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace eagle::host {

using KernelEntry = void (*)(void* const* params, std::int64_t base, std::int64_t count, std::int64_t n_samples);

struct KernelCall {
    KernelEntry entry = nullptr;
    void* const* params = nullptr;
    std::int64_t base = 0, count = 0, n_samples = 0;
    // 0 = the range is split, one call a part; otherwise that many calls, each of the whole range.
    std::uint32_t grid = 0;
    std::uint32_t max_parallel = 0;  // threads at once; 0 = the whole team, 1 = this thread, in ascending order
};

// Returns when all calls have.
void run_kernel(const KernelCall& call);

// Arguments that outlive the call that gave them: copies where the sizes are known, otherwise the caller's own storage.
class KeptArguments {
  public:
    KeptArguments(const std::uint64_t* params, const std::uint64_t* sizes, std::int64_t count);
    KeptArguments(KeptArguments&&) = default;  // the addresses follow the storage; a copy's would not
    void* const* params() const { return addresses_.data(); }
    const std::uint64_t* sizes() const { return sizes_.empty() ? nullptr : sizes_.data(); }  // null: not known
    std::int64_t count() const { return static_cast<std::int64_t>(addresses_.size()); }
    // The same with new values: values[i] is the address of argument i's, 0 keeps it, and so do those past `count`.
    KeptArguments with(const std::uint64_t* values, std::int64_t count) const;

  private:
    static constexpr std::size_t alignment = 64;  // of every argument, the widest vector's
    struct alignas(alignment) Block {
        std::byte bytes[alignment];
    };
    std::vector<Block> storage_;
    std::vector<void*> addresses_;
    std::vector<std::uint64_t> sizes_;  // empty where they are not known
};

}  // namespace eagle::host
