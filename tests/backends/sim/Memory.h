// Memory of the simulated devices: pages that nobody may touch while no work of their device runs.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <mutex>

#include "../../../backends/common/host/DeviceMemory.h"

namespace eagle::sim_device {

constexpr std::int32_t devices = 2;

// Every block lies between two pages that are never opened. A new block is filled with a pattern, since a device's
// memory holds anything. Under the lock of Streams or without; it takes no lock but its own.
class Memory : public host::DeviceMemory {
  public:
    std::uint64_t allocate(std::int32_t device, std::uint64_t bytes) override;
    void require_owned(std::uint64_t address) const override;
    void free(std::uint64_t address) override;

    std::int32_t residency(std::int32_t device, std::uint64_t address) const override;
    std::int32_t device_of(std::uint64_t address) const override;
    void require_reachable(std::int32_t device, std::uint64_t address, std::uint64_t bytes,
                           const char* name) const override;
    void require_copy(std::int32_t device, std::uint64_t dst, std::uint64_t src, std::uint64_t bytes,
                      std::int32_t kind) const override;
    void require_argument(std::int32_t device, std::uint64_t value, std::int64_t number) const override;

    // Work of a device begins and ends on this thread; counted, so that the memory stays open while any runs.
    void open(std::int32_t device);
    void close();
    // The same in the middle of it, around code that runs on the host.
    void leave_device() override;
    void enter_device() override;

    void before_fork() override { mutex_.lock(); }
    void after_fork(bool is_child) override;

    static constexpr unsigned char fill = 0xa5;

  private:
    struct Block {
        std::uint64_t bytes;
        std::int32_t device;
    };
    using Lock = std::lock_guard<std::mutex>;
    struct Found {
        std::uint64_t address = 0;
        Block block{0, -1};
    };

    Found find(std::uint64_t address) const;  // device -1: none
    void count(std::int32_t device, int change);
    void protect(std::int32_t device, int protection) const;
    void require_host(std::uint64_t address, const char* name) const;

    mutable std::mutex mutex_;
    std::map<std::uint64_t, Block> blocks_;
    std::array<int, devices> open_{};
};

}  // namespace eagle::sim_device
