// Memory of the judged device. A row reads and writes it through upload and download alone, so that it also runs where
// the host cannot touch it.
#pragma once
#include <cstdint>
#include <vector>

#include "Context.h"

namespace eagle::conformance {

// Bytes from sdk_device_alloc, or, on a host kind without it, from the host; aligned to 256, filled with 0xA5. Given
// back when the object goes: work that uses it must be done by then.
class Memory {
  public:
    Memory(Context& c, std::uint64_t bytes);
    ~Memory();
    Memory(Memory&& other) noexcept;
    Memory& operator=(Memory&&) = delete;
    std::uint64_t address() const { return address_; }
    std::uint64_t bytes() const { return bytes_; }
    // Both go through the row's own stream and wait for it; work on other streams must be done. Offsets and sizes in
    // bytes.
    void write(std::uint64_t offset, const void* from, std::uint64_t bytes);
    void read(std::uint64_t offset, void* to, std::uint64_t bytes) const;

  private:
    Context& c_;
    std::uint64_t address_ = 0, bytes_ = 0;
    bool of_device_ = false;
};

// n elements of T, a type without padding.
template <class T>
class Buffer {
  public:
    Buffer(Context& c, std::size_t n) : memory_(c, n * sizeof(T)), n_(n) {}
    Buffer(Context& c, const std::vector<T>& values) : Buffer(c, values.size()) { upload(values); }
    std::uint64_t address() const { return memory_.address(); }
    std::uint64_t address_of(std::size_t i) const { return address() + i * sizeof(T); }
    std::size_t size() const { return n_; }
    // What a kernel takes as argument.
    T* pointer() const { return reinterpret_cast<T*>(address()); }
    void upload(const std::vector<T>& values) { memory_.write(0, values.data(), values.size() * sizeof(T)); }
    void set(std::size_t i, const T& value) { memory_.write(i * sizeof(T), &value, sizeof(T)); }
    std::vector<T> download() const {
        std::vector<T> values(n_);
        memory_.read(0, values.data(), n_ * sizeof(T));
        return values;
    }
    T at(std::size_t i) const {
        T value{};
        memory_.read(i * sizeof(T), &value, sizeof(T));
        return value;
    }

  private:
    Memory memory_;
    std::size_t n_;
};

}  // namespace eagle::conformance
