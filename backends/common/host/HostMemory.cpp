#include "HostMemory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <iterator>
#include <limits>
#include <new>

#include "Check.h"
#include "ProcessWide.h"

namespace eagle::host {
namespace {

constexpr std::uint64_t page = 4096;
// From here on pages of their own: they go back to the system when they are freed.
constexpr std::uint64_t mapped_from = 256 * 1024;

std::uint64_t map_pages(std::uint64_t bytes) {
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    return reinterpret_cast<std::uint64_t>(at);
}

[[noreturn]] void refuse_foreign() {
    refuse("the address was not allocated by this backend, or was freed before; pass what the allocation returned");
}

}  // namespace

HostMemory& HostMemory::of_process() { return process_wide<HostMemory>(); }

std::uint64_t HostMemory::allocate(std::uint64_t bytes, std::uint64_t alignment) {
    if (bytes == 0) return 0;
    if (bytes > std::numeric_limits<std::uint64_t>::max() / 2) throw std::bad_alloc();
    std::uint64_t address = 0, mapped = 0;
    if (bytes >= mapped_from) {
        mapped = (bytes + page - 1) / page * page;
        address = map_pages(mapped);
    } else {
        void* at = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
        if (!at) throw std::bad_alloc();
        address = reinterpret_cast<std::uint64_t>(at);
    }
    try {
        std::lock_guard<std::mutex> lock(mutex_);
        pieces_.emplace(address, Piece{bytes, mapped});
    } catch (...) {
        mapped ? static_cast<void>(munmap(reinterpret_cast<void*>(address), mapped))
               : std::free(reinterpret_cast<void*>(address));
        throw;
    }
    return address;
}

void HostMemory::require_owned(std::uint64_t address) const {
    std::lock_guard<std::mutex> lock(mutex_);
    if (pieces_.count(address) == 0) refuse_foreign();
}

bool HostMemory::holds(std::uint64_t address) const {
    std::lock_guard<std::mutex> lock(mutex_);
    auto behind = pieces_.upper_bound(address);
    return behind != pieces_.begin() && address - std::prev(behind)->first < std::prev(behind)->second.bytes;
}

HostMemory::Piece HostMemory::take(std::uint64_t address) {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = pieces_.find(address);
    if (found == pieces_.end()) refuse_foreign();
    Piece piece = found->second;
    pieces_.erase(found);
    return piece;
}

void HostMemory::free(std::uint64_t address) {
    if (address == 0) return;
    Piece piece = take(address);
    if (piece.mapped_bytes > 0) {
        munmap(reinterpret_cast<void*>(address), piece.mapped_bytes);
    } else {
        std::free(reinterpret_cast<void*>(address));
    }
}

}  // namespace eagle::host
