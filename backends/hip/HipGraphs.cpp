// Graphs and executables.
#include "Call.h"
#include "HipDriver.h"

namespace eagle::hip {

using namespace gpu;
using namespace abi;

namespace {

std::vector<hipGraphNode_t> handles(const std::vector<RawNode>& nodes) {
    std::vector<hipGraphNode_t> raw;
    for (RawNode node : nodes) raw.push_back(handle<hipGraphNode_t>(node));
    return raw;
}

}  // namespace

RawGraph HipDriver::create_graph() {
    hipGraph_t graph = nullptr;
    HIP_CHECK(hipGraphCreate, &graph, 0);
    return number(graph);
}

void HipDriver::destroy_graph(RawGraph graph) { HIP_CHECK(hipGraphDestroy, handle<hipGraph_t>(graph)); }

RawNode HipDriver::add_empty(RawGraph graph) {
    hipGraphNode_t node = nullptr;
    HIP_CHECK(hipGraphAddEmptyNode, &node, handle<hipGraph_t>(graph), nullptr, 0);
    return number(node);
}

// HIP copies a child, always: moves_children() is false.
RawNode HipDriver::add_child(RawGraph graph, const std::vector<RawNode>& after, RawGraph child, bool) {
    hipGraphNode_t node = nullptr;
    const std::vector<hipGraphNode_t> before = handles(after);
    HIP_CHECK(hipGraphAddChildGraphNode, &node, handle<hipGraph_t>(graph), before.data(), before.size(),
              handle<hipGraph_t>(child));
    return number(node);
}

std::vector<RawNode> HipDriver::nodes(RawGraph graph) {
    std::size_t count = 0;
    HIP_CHECK(hipGraphGetNodes, handle<hipGraph_t>(graph), nullptr, &count);
    std::vector<hipGraphNode_t> raw(count);
    if (count > 0) HIP_CHECK(hipGraphGetNodes, handle<hipGraph_t>(graph), raw.data(), &count);
    std::vector<RawNode> all;
    for (hipGraphNode_t node : raw) all.push_back(number(node));
    return all;
}

NodeType HipDriver::type(RawNode node) {
    hipGraphNodeType found = hipGraphNodeTypeEmpty;
    HIP_CHECK(hipGraphNodeGetType, handle<hipGraphNode_t>(node), &found);
    switch (found) {
        case hipGraphNodeTypeKernel:
            return NodeType::kernel;
        case hipGraphNodeTypeMemcpy:
            return NodeType::copy;
        case hipGraphNodeTypeMemset:
            return NodeType::fill;
        case hipGraphNodeTypeHost:
            return NodeType::host_function;
        case hipGraphNodeTypeGraph:
            return NodeType::child;
        case hipGraphNodeTypeEmpty:
            return NodeType::empty;
        default:
            return NodeType::other;
    }
}

RawGraph HipDriver::graph_of_child(RawNode node) {
    hipGraph_t graph = nullptr;
    HIP_CHECK(hipGraphChildGraphNodeGetGraph, handle<hipGraphNode_t>(node), &graph);
    return number(graph);
}

KernelNode HipDriver::kernel_node(RawNode node) {
    hipKernelNodeParams params{};
    HIP_CHECK(hipGraphKernelNodeGetParams, handle<hipGraphNode_t>(node), &params);
    if (!params.func || !params.kernelParams) {
        throw Failure(
            EAGLE_BACKEND_UNSUPPORTED,
            "the kernel of the node was launched in a way whose parameters the runtime does not tell; launch it "
            "through the seam");
    }
    const Shape shape{params.gridDim.x,  params.gridDim.y,  params.gridDim.z,     params.blockDim.x,
                      params.blockDim.y, params.blockDim.z, params.sharedMemBytes};
    return {number(params.func), shape, params.kernelParams};
}

RawExec HipDriver::instantiate(RawGraph graph) {
    hipGraphExec_t exec = nullptr;
    HIP_CHECK(hipGraphInstantiateWithFlags, &exec, handle<hipGraph_t>(graph), 0);
    return number(exec);
}

void HipDriver::destroy_exec(RawExec exec) { HIP_CHECK(hipGraphExecDestroy, handle<hipGraphExec_t>(exec)); }

void HipDriver::launch(RawExec exec, RawStream stream) {
    HIP_CHECK(hipGraphLaunch, handle<hipGraphExec_t>(exec), stream_of(stream));
}

void HipDriver::set_kernel(RawExec exec, RawNode node, const KernelNode& to) {
    hipKernelNodeParams params{};
    params.func = handle<void*>(to.function);
    params.gridDim = {to.shape.grid_x, to.shape.grid_y, to.shape.grid_z};
    params.blockDim = {to.shape.block_x, to.shape.block_y, to.shape.block_z};
    params.sharedMemBytes = to.shape.shared_bytes;
    params.kernelParams = to.parameters;
    HIP_CHECK(hipGraphExecKernelNodeSetParams, handle<hipGraphExec_t>(exec), handle<hipGraphNode_t>(node), &params);
}

// HIP keeps a capture's copy as one of a line of bytes, which no function reads back.
void HipDriver::set_copy_source(RawExec exec, RawNode node, const Copy& like, std::uint64_t src) {
    if (like.bytes == 0) {
        throw Failure(EAGLE_BACKEND_UNSUPPORTED,
                      "the copy of the node was not recorded through the seam, and HIP does not tell where it goes; "
                      "record it with eagle_backend_memcpy");
    }
    HIP_CHECK(hipGraphExecMemcpyNodeSetParams1D, handle<hipGraphExec_t>(exec), handle<hipGraphNode_t>(node),
              handle<void*>(like.dst), handle<const void*>(src), like.bytes, hipMemcpyDefault);
}

void HipDriver::set_enabled(RawExec exec, RawNode node, bool is_enabled) {
    HIP_CHECK(hipGraphNodeSetEnabled, handle<hipGraphExec_t>(exec), handle<hipGraphNode_t>(node), is_enabled ? 1u : 0u);
}

bool HipDriver::update(RawExec exec, RawGraph graph) {
    hipGraphNode_t unlike = nullptr;
    hipGraphExecUpdateResult result = hipGraphExecUpdateSuccess;
    const hipError_t code =
        HIP_CALL(hipGraphExecUpdate, handle<hipGraphExec_t>(exec), handle<hipGraph_t>(graph), &unlike, &result);
    if (code == hipErrorGraphExecUpdateFailure) return false;
    check("hipGraphExecUpdate", code);
    return true;
}

}  // namespace eagle::hip
