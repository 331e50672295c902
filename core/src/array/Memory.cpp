#include "array/Memory.h"

#include <eagle/Error.h>
#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace eagle::array {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20u;

[[noreturn]] void out_of_memory(std::size_t bytes) {
    throw OutOfMemory("no memory for an array of " + std::to_string(bytes) + " bytes; use a smaller batch");
}

// Freed large blocks by size. Its lock is held over a fork, so that the child finds it free.
class Pool {
  public:
    static Pool& instance() {
        static Pool* const pool = [] {
            pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                           [] { instance().mutex_.unlock(); });
            return new Pool;  // never destroyed: arrays may be freed while the process ends
        }();
        return *pool;
    }

    // A block of `bytes` or at most a quarter more, or null. `bytes` becomes its size.
    void* take(std::size_t& bytes) {
        const std::lock_guard lock(mutex_);
        const auto it = blocks_.lower_bound(bytes);
        if (it == blocks_.end() || it->first > bytes + bytes / 4) return nullptr;
        void* const block = it->second;
        bytes = it->first;
        held_ -= bytes;
        blocks_.erase(it);
        return block;
    }
    bool give(void* block, std::size_t bytes) noexcept {
        const std::lock_guard lock(mutex_);
        if (held_ + bytes > pool_bytes) return false;
        try {
            blocks_.emplace(bytes, block);
        } catch (const std::bad_alloc&) {
            return false;
        }
        held_ += bytes;
        return true;
    }
    std::size_t held() {
        const std::lock_guard lock(mutex_);
        return held_;
    }

  private:
    std::mutex mutex_;
    std::multimap<std::size_t, void*> blocks_;
    std::size_t held_ = 0;
};

// A mapping aligned to huge pages: one page more is asked for, and both ends are trimmed.
void* map_block(std::size_t bytes) {
    void* const raw = ::mmap(nullptr, bytes + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) return nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(raw);
    const std::uintptr_t aligned = (address + huge_page - 1) / huge_page * huge_page;
    if (aligned != address) ::munmap(raw, aligned - address);
    const std::size_t tail = huge_page - (aligned - address);
    if (tail != 0) ::munmap(reinterpret_cast<void*>(aligned + bytes), tail);
    auto* const block = reinterpret_cast<void*>(aligned);
    ::madvise(block, bytes, MADV_HUGEPAGE);  // a hint: without huge pages the memory is as good, only slower
    return block;
}

std::shared_ptr<void> allocate_large(std::size_t wanted, bool zeroed) {
    if (wanted > SIZE_MAX / 2) out_of_memory(wanted);
    std::size_t bytes = (wanted + huge_page - 1) / huge_page * huge_page;
    void* block = Pool::instance().take(bytes);
    // Pages of a mapping come zeroed by the system, and are touched first by the workers that use them.
    if (block && zeroed && ::madvise(block, bytes, MADV_DONTNEED) != 0) std::memset(block, 0, wanted);
    if (!block) block = map_block(bytes);
    if (!block) out_of_memory(wanted);
    return {block, [bytes](void* p) {
                if (!Pool::instance().give(p, bytes)) ::munmap(p, bytes);
            }};
}

}  // namespace

std::shared_ptr<void> allocate(std::size_t bytes, bool zeroed) {
    if (bytes >= large_bytes) return allocate_large(bytes, zeroed);
    const std::size_t rounded = (bytes + 63) / 64 * 64 + (bytes == 0 ? 64 : 0);
    void* const block = std::aligned_alloc(64, rounded);
    if (!block) out_of_memory(bytes);
    if (zeroed) std::memset(block, 0, rounded);
    return {block, [](void* p) { std::free(p); }};
}

std::size_t pooled_bytes() { return Pool::instance().held(); }

}  // namespace eagle::array
