#include <eagle/conformance/Buffer.h>

#include <cstdlib>
#include <cstring>
#include <utility>

namespace eagle::conformance {
namespace {

constexpr std::uint64_t alignment = 256;
constexpr unsigned char pattern = 0xA5;

void* at(std::uint64_t address) { return reinterpret_cast<void*>(address); }
std::uint64_t address_of(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

}  // namespace

Memory::Memory(Context& c, std::uint64_t bytes) : c_(c), bytes_(bytes) {
    const std::uint64_t room = (bytes / alignment + 1) * alignment;
    of_device_ = c.facts.provides(Symbol::sdk_device_alloc) && c.facts.provides(Symbol::sdk_device_free);
    if (of_device_) {
        ROW_OK(c, c.seam.sdk_device_alloc(c.device, room, c.stream(), &address_));
    } else {
        address_ = address_of(std::aligned_alloc(alignment, room));
    }
    ROW_REQUIRE(c, address_ != 0);
    const std::vector<unsigned char> fill(bytes, pattern);
    write(0, fill.data(), bytes);
}

Memory::Memory(Memory&& other) noexcept
    : c_(other.c_), address_(std::exchange(other.address_, 0)), bytes_(other.bytes_), of_device_(other.of_device_) {}

Memory::~Memory() {
    if (of_device_) {
        if (address_) c_.seam.sdk_device_free(c_.device, address_, c_.stream());
    } else {
        std::free(at(address_));
    }
}

void Memory::write(std::uint64_t offset, const void* from, std::uint64_t bytes) {
    if (bytes == 0) return;
    if (c_.facts.is_host_kind()) {
        std::memcpy(at(address_ + offset), from, bytes);
        return;
    }
    ROW_OK(c_, c_.seam.memcpy(address_ + offset, address_of(from), bytes, EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE,
                              c_.stream()));
    c_.synchronize();
}

void Memory::read(std::uint64_t offset, void* to, std::uint64_t bytes) const {
    if (bytes == 0) return;
    if (c_.facts.is_host_kind()) {
        std::memcpy(to, at(address_ + offset), bytes);
        return;
    }
    ROW_OK(c_,
           c_.seam.memcpy(address_of(to), address_ + offset, bytes, EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST, c_.stream()));
    c_.synchronize();
}

}  // namespace eagle::conformance
