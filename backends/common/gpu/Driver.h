// What the engine asks of a device's driver. A kind's driver is a class of its own over the vendor's library; values of
// the vendor's cross as numbers.
//
// Every call throws Failure: UNAVAILABLE where the library, a device or a function of it is missing (naming it and the
// version that has it), otherwise with the vendor's name of the error. Calls about streams, events, memory, modules and
// launches want a context to be current (Current.h). What not every vendor has is not pure: as it stands it says so.
#pragma once
#include <eagle/seam/eagle_backend.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../host/LastError.h"

namespace eagle::gpu {

using host::Failure;

// The driver may not be called on this thread, in a function of the host that it calls, and has done nothing.
class NotPermitted : public Failure {
  public:
    using Failure::Failure;
};

using RawContext = std::uint64_t;
using RawStream = std::uint64_t;  // 0 and 1 are the legacy default stream, 2 is the thread's own
using RawEvent = std::uint64_t;
using RawGraph = std::uint64_t;
using RawNode = std::uint64_t;
using RawExec = std::uint64_t;
using RawModule = std::uint64_t;
using RawFunction = std::uint64_t;

enum class NodeType { kernel, copy, fill, host_function, child, empty, conditional, other };
// As messages name it: "kernel", "host function", ...
const char* name_of(NodeType type);

struct Shape {
    unsigned grid_x = 1, grid_y = 1, grid_z = 1, block_x = 1, block_y = 1, block_z = 1, shared_bytes = 0;
};

struct KernelNode {
    RawFunction function = 0;
    Shape shape;
    void** parameters = nullptr;  // the driver's, as long as the node
};

// A copy of a graph, and what the seam was told of it; 0 bytes where it came otherwise.
struct Copy {
    RawNode node = 0;
    std::uint64_t dst = 0, bytes = 0;
};

struct CaptureInfo {
    enum State { none, active, invalid } state = none;  // the rest is of one that is active
    std::uint64_t id = 0;
    RawGraph graph = 0;
    std::vector<RawNode> tip;  // what the next node waits for
};

struct ConditionalNode {
    RawNode node = 0;
    std::vector<RawGraph> bodies;
};

class Driver {
  public:
    virtual ~Driver() = default;

    // ---- devices and contexts ----
    virtual int device_count() = 0;
    virtual void describe(int device, struct eagle_backend_device_props& full) = 0;
    virtual void identify(int device, struct eagle_backend_sdk_device_identity& full) = 0;
    virtual RawContext context_of(int device) = 0;  // shared with the rest of the process; held to its end
    virtual RawContext current_context() = 0;       // of the calling thread; 0 = none
    virtual void make_current(RawContext context) = 0;
    virtual int device_of_current() = 0;
    virtual int device_in_use();                         // one whose context is held already, else 0
    virtual int device_of_stream(RawStream stream) = 0;  // of one that is no default stream

    // ---- streams and events ----
    virtual RawStream create_stream(bool is_blocking) = 0;
    virtual void destroy_stream(RawStream stream) = 0;
    virtual bool is_blocking(RawStream stream);  // the legacy default stream waits for it; false where none can tell
    virtual void synchronize(RawStream stream) = 0;
    virtual RawEvent create_event() = 0;
    virtual void record(RawEvent event, RawStream stream) = 0;
    virtual void wait(RawStream stream, RawEvent event) = 0;

    // ---- memory; allocate gives SDK_OUT_OF_MEMORY where there is none left ----
    virtual std::uint64_t allocate(std::uint64_t bytes, RawStream stream) = 0;
    virtual void free(std::uint64_t address, RawStream stream) = 0;
    virtual std::uint64_t allocate_host(std::uint64_t bytes) = 0;
    virtual void free_host(std::uint64_t address) = 0;
    virtual void copy(std::uint64_t dst, std::uint64_t src, std::uint64_t bytes, RawStream stream) = 0;
    virtual void fill(std::uint64_t dst, unsigned char value, std::uint64_t bytes, RawStream stream) = 0;
    virtual std::int32_t residency(std::uint64_t address, int device) = 0;  // EAGLE_BACKEND_RESIDENCY_*

    // ---- code ----
    virtual RawModule load(const void* image) = 0;
    virtual void unload(RawModule module) = 0;
    virtual RawFunction function(RawModule module, const char* name) = 0;  // 0 = it has none
    struct Global {
        std::uint64_t address, bytes;
    };
    virtual std::optional<Global> global(RawModule module, const char* name) = 0;
    // Bytes of each parameter; nothing where this driver does not tell.
    virtual std::optional<std::vector<std::uint64_t>> parameter_sizes(RawFunction function);
    virtual void launch(RawFunction function, const Shape& shape, RawStream stream, void** parameters) = 0;
    virtual void call_host(RawStream stream, void (*function)(void*), void* context) = 0;

    // ---- captures: they are of their thread ----
    virtual void begin_capture(RawStream stream) = 0;
    virtual RawGraph end_capture(RawStream stream) = 0;  // closes it whatever it throws
    virtual CaptureInfo capture_info(RawStream stream) = 0;
    virtual void set_tip(RawStream stream, RawNode node) = 0;
    // Lets this thread make calls that a capture of its own would not survive; returns what undoes it.
    virtual int relax_captures() noexcept = 0;
    virtual void restore_captures(int before) noexcept = 0;

    // ---- graphs ----
    virtual RawGraph create_graph() = 0;
    virtual void destroy_graph(RawGraph graph) = 0;
    virtual RawNode add_empty(RawGraph graph) = 0;
    virtual bool moves_children();  // add_child can take a graph over instead of copying it
    virtual RawNode add_child(RawGraph graph, const std::vector<RawNode>& after, RawGraph child, bool moves) = 0;
    virtual std::vector<RawNode> nodes(RawGraph graph) = 0;
    virtual NodeType type(RawNode node) = 0;
    virtual RawGraph graph_of_child(RawNode node) = 0;
    virtual KernelNode kernel_node(RawNode node) = 0;

    // ---- conditional nodes ----
    virtual std::uint64_t create_condition(RawGraph graph);
    virtual ConditionalNode add_conditional(RawGraph graph, const std::vector<RawNode>& after, std::uint64_t condition,
                                            std::uint32_t kind, unsigned arms);  // kind: guard_* of KernelTypes.h
    virtual void begin_capture_into(RawStream stream, RawGraph body);

    // ---- executables; nodes are those of the graph that it was made from ----
    virtual RawExec instantiate(RawGraph graph) = 0;
    virtual void destroy_exec(RawExec exec) = 0;
    virtual void launch(RawExec exec, RawStream stream) = 0;
    virtual void set_kernel(RawExec exec, RawNode node, const KernelNode& to) = 0;
    // The rest is that of the copy `like`.
    virtual void set_copy_source(RawExec exec, RawNode node, const Copy& like, std::uint64_t src) = 0;
    virtual void set_enabled(RawExec exec, RawNode node, bool is_enabled) = 0;
    virtual bool update(RawExec exec, RawGraph graph) = 0;  // false: the shapes differ, and nothing has changed
};

}  // namespace eagle::gpu
