// The engine's driver over libcuda. Contexts are the primary ones, which the runtime API and frameworks use too.
#pragma once
#include <map>
#include <mutex>

#include "../common/gpu/Driver.h"
#include "Library.h"

namespace eagle::cuda {

class CudaDriver final : public gpu::Driver {
  public:
    // Starts the driver. Throws Failure (UNAVAILABLE).
    explicit CudaDriver(const Library& library);

#include "../common/gpu/driver_functions.def"
    std::optional<std::vector<std::uint64_t>> parameter_sizes(gpu::RawFunction function) override;
    void begin_capture_into(gpu::RawStream stream, gpu::RawGraph body) override;
    int device_in_use() override;
    bool is_blocking(gpu::RawStream stream) override;
    bool moves_children() override;
    std::uint64_t create_condition(gpu::RawGraph graph) override;
    gpu::ConditionalNode add_conditional(gpu::RawGraph graph, const std::vector<gpu::RawNode>& after,
                                         std::uint64_t condition, std::uint32_t kind, unsigned arms) override;

  private:
    int attribute(CUdevice_attribute which, int device) const;
    CUcontext context_in_use();  // of any device, null where none is held

    const Library& library_;
    const Functions& f_;
    int devices_ = 0;
    std::mutex mutex_;
    std::map<int, CUcontext> contexts_;
};

}  // namespace eagle::cuda
