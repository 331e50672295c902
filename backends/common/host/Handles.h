// Handles that are checked, not followed: a number holds a place, the generation of what lives there and a tag of its
// type. One that was released, made up, or of another type is found out, whatever it points to.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace eagle::host {

// Objects of one type at places that are never given back, so that a look-up needs no lock. The owner serialises add
// and remove. The tag lies above every user-space address.
template <class T>
class Handles {
  public:
    explicit Handles(std::uint8_t tag) : tag_(tag) {}
    ~Handles() {
        for (auto& chunk : chunks_) delete chunk.load(std::memory_order_relaxed);
    }
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;

    // The object, or null.
    T* find(std::uint64_t handle) const {
        std::uint64_t index = handle & index_mask;
        if (handle >> 56u != tag_ || index >= a_chunk * chunks) return nullptr;
        const Chunk* chunk = chunks_[index / a_chunk].load(std::memory_order_acquire);
        if (!chunk) return nullptr;
        const Place& place = (*chunk)[index % a_chunk];
        auto generation = static_cast<std::uint32_t>(handle >> 24u);
        bool alive = (generation & 1u) && place.generation.load(std::memory_order_acquire) == generation;
        return alive ? const_cast<T*>(&place.object) : nullptr;
    }
    // A handle of an object that no other handle names; 0 when there is no place left. The object is as its last user
    // left it.
    std::uint64_t add() {
        if (free_.empty() && !grow()) return 0;
        std::uint64_t index = free_.back();
        free_.pop_back();
        std::uint32_t generation = at(index).generation.fetch_add(1, std::memory_order_release) + 1;
        return std::uint64_t(tag_) << 56u | std::uint64_t(generation) << 24u | index;
    }
    // The handle is dead from here on; its place stays taken until reuse().
    void kill(std::uint64_t handle) { at(handle & index_mask).generation.fetch_add(1, std::memory_order_release); }
    void reuse(std::uint64_t handle) { free_.push_back(handle & index_mask); }

  private:
    static constexpr std::uint64_t index_mask = 0xffffff, a_chunk = 256, chunks = 4096;
    struct Place {
        std::atomic<std::uint32_t> generation{0};  // odd while somebody lives here
        T object{};
    };
    using Chunk = std::array<Place, a_chunk>;

    Place& at(std::uint64_t index) {
        return (*chunks_[index / a_chunk].load(std::memory_order_relaxed))[index % a_chunk];
    }
    bool grow() {
        if (used_ == chunks) return false;
        free_.reserve((used_ + 1) * a_chunk);  // so that reuse() cannot fail
        auto chunk = std::make_unique<Chunk>();
        for (std::uint64_t i = a_chunk; i-- > 0;) free_.push_back(used_ * a_chunk + i);
        chunks_[used_++].store(chunk.release(), std::memory_order_release);
        return true;
    }

    std::uint8_t tag_;
    std::uint64_t used_ = 0;
    std::vector<std::uint64_t> free_;
    std::array<std::atomic<Chunk*>, chunks> chunks_{};
};

}  // namespace eagle::host
