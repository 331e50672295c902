// Memory that the backend gives out. It knows what it gave: a foreign address is refused, not freed.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>

namespace eagle::host {

class HostMemory {
  public:
    static HostMemory& of_process();

    // Aligned to `alignment` (a power of two up to a page); 0 bytes is 0. Throws std::bad_alloc.
    std::uint64_t allocate(std::uint64_t bytes, std::uint64_t alignment);
    // Throw Failure (INVALID_ARGUMENT) for an address that was not allocated here or is free again; 0 is fine to free.
    void require_owned(std::uint64_t address) const;
    void free(std::uint64_t address);
    // Whether the address lies in memory that was given out.
    bool holds(std::uint64_t address) const;

    std::mutex& mutex() { return mutex_; }  // held over a fork

  private:
    struct Piece {
        std::uint64_t bytes;
        std::uint64_t mapped_bytes;  // 0 = from the heap
    };
    Piece take(std::uint64_t address);

    mutable std::mutex mutex_;
    std::map<std::uint64_t, Piece> pieces_;
};

}  // namespace eagle::host
