// The engine's driver over libamdhip64. HIP has no contexts that a caller sees: what is current on a thread is a
// device.
#pragma once
#include "../common/gpu/Driver.h"
#include "Library.h"

namespace eagle::hip {

class HipDriver final : public gpu::Driver {
  public:
    // Starts the runtime. Throws Failure (UNAVAILABLE).
    explicit HipDriver(const Library& library);

    int device_count() override { return devices_; }
    void describe(int device, struct eagle_backend_device_props& full) override;
    void identify(int device, struct eagle_backend_sdk_device_identity& full) override;
    gpu::RawContext context_of(int device) override;
    gpu::RawContext current_context() override;
    void make_current(gpu::RawContext context) override;
    int device_of_current() override;
    int device_of_stream(gpu::RawStream stream) override;

    gpu::RawStream create_stream(bool is_blocking) override;
    void destroy_stream(gpu::RawStream stream) override;
    void synchronize(gpu::RawStream stream) override;
    gpu::RawEvent create_event() override;
    void record(gpu::RawEvent event, gpu::RawStream stream) override;
    void wait(gpu::RawStream stream, gpu::RawEvent event) override;

    std::uint64_t allocate(std::uint64_t bytes, gpu::RawStream stream) override;
    void free(std::uint64_t address, gpu::RawStream stream) override;
    std::uint64_t allocate_host(std::uint64_t bytes) override;
    void free_host(std::uint64_t address) override;
    void copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes, gpu::RawStream stream) override;
    void fill(std::uint64_t dst, unsigned char value, std::uint64_t bytes, gpu::RawStream stream) override;
    std::int32_t residency(std::uint64_t address, int device) override;

    gpu::RawModule load(const void* image) override;
    void unload(gpu::RawModule module) override;
    gpu::RawFunction function(gpu::RawModule module, const char* name) override;
    std::optional<Global> global(gpu::RawModule module, const char* name) override;
    void launch(gpu::RawFunction function, const gpu::Shape& shape, gpu::RawStream stream, void** parameters) override;
    void call_host(gpu::RawStream stream, void (*function)(void*), void* context) override;

    void begin_capture(gpu::RawStream stream) override;
    gpu::RawGraph end_capture(gpu::RawStream stream) override;
    gpu::CaptureInfo capture_info(gpu::RawStream stream) override;
    void set_tip(gpu::RawStream stream, gpu::RawNode node) override;
    int relax_captures() noexcept override;
    void restore_captures(int before) noexcept override;

    gpu::RawGraph create_graph() override;
    void destroy_graph(gpu::RawGraph graph) override;
    gpu::RawNode add_empty(gpu::RawGraph graph) override;
    gpu::RawNode add_child(gpu::RawGraph graph, const std::vector<gpu::RawNode>& after, gpu::RawGraph child,
                           bool moves) override;
    std::vector<gpu::RawNode> nodes(gpu::RawGraph graph) override;
    gpu::NodeType type(gpu::RawNode node) override;
    gpu::RawGraph graph_of_child(gpu::RawNode node) override;
    gpu::KernelNode kernel_node(gpu::RawNode node) override;

    gpu::RawExec instantiate(gpu::RawGraph graph) override;
    void destroy_exec(gpu::RawExec exec) override;
    void launch(gpu::RawExec exec, gpu::RawStream stream) override;
    void set_kernel(gpu::RawExec exec, gpu::RawNode node, const gpu::KernelNode& to) override;
    void set_copy_source(gpu::RawExec exec, gpu::RawNode node, const gpu::Copy& like, std::uint64_t src) override;
    void set_enabled(gpu::RawExec exec, gpu::RawNode node, bool is_enabled) override;
    bool update(gpu::RawExec exec, gpu::RawGraph graph) override;

  private:
    int attribute(abi::hipDeviceAttribute_t which, int device) const;

    const Functions& f_;
    int devices_ = 0;
};

// 0 is the default stream everywhere; that 1 names it too is not known to every HIP 6.
inline abi::hipStream_t stream_of(gpu::RawStream stream) {
    return stream == 1 ? nullptr : reinterpret_cast<abi::hipStream_t>(stream);
}

}  // namespace eagle::hip
