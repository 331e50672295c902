// Graphs and executables.
#include <KernelTypes.h>

#include "Call.h"
#include "CudaDriver.h"

namespace eagle::cuda {

using namespace gpu;

namespace {

constexpr int with_moved_children = 12090;

std::vector<CUgraphNode> handles(const std::vector<RawNode>& nodes) {
    std::vector<CUgraphNode> raw;
    for (RawNode node : nodes) raw.push_back(handle<CUgraphNode>(node));
    return raw;
}

CUgraphConditionalNodeType type_of(std::uint32_t kind) {
    if (kind == guard_loop) return CU_GRAPH_COND_TYPE_WHILE;
    return kind == guard_one_of_many ? CU_GRAPH_COND_TYPE_SWITCH : CU_GRAPH_COND_TYPE_IF;
}

}  // namespace

RawGraph CudaDriver::create_graph() {
    CUgraph graph = nullptr;
    CUDA_CHECK(cuGraphCreate, &graph, 0);
    return number(graph);
}

void CudaDriver::destroy_graph(RawGraph graph) { CUDA_CHECK(cuGraphDestroy, handle<CUgraph>(graph)); }

RawNode CudaDriver::add_empty(RawGraph graph) {
    CUgraphNode node = nullptr;
    CUDA_CHECK(cuGraphAddEmptyNode, &node, handle<CUgraph>(graph), nullptr, 0);
    return number(node);
}

bool CudaDriver::moves_children() { return library_.version >= with_moved_children && f_.cuGraphAddNode; }

RawNode CudaDriver::add_child(RawGraph graph, const std::vector<RawNode>& after, RawGraph child, bool moves) {
    CUgraphNode node = nullptr;
    const std::vector<CUgraphNode> before = handles(after);
    if (!moves) {
        CUDA_CHECK(cuGraphAddChildGraphNode, &node, handle<CUgraph>(graph), before.data(), before.size(),
                   handle<CUgraph>(child));
        return number(node);
    }
    CUgraphNodeParams params{};
    params.type = CU_GRAPH_NODE_TYPE_GRAPH;
    params.graph.graph = handle<CUgraph>(child);
    params.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    CUDA_CHECK(cuGraphAddNode, &node, handle<CUgraph>(graph), before.data(), nullptr, before.size(), &params);
    return number(node);
}

std::uint64_t CudaDriver::create_condition(RawGraph graph) {
    CUgraphConditionalHandle condition = 0;
    CUDA_CHECK(cuGraphConditionalHandleCreate, &condition, handle<CUgraph>(graph), handle<CUcontext>(current_context()),
               0, CU_GRAPH_COND_ASSIGN_DEFAULT);
    return condition;
}

ConditionalNode CudaDriver::add_conditional(RawGraph graph, const std::vector<RawNode>& after, std::uint64_t condition,
                                            std::uint32_t kind, unsigned arms) {
    CUgraphNodeParams params{};
    params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.conditional.handle = condition;
    params.conditional.type = type_of(kind);
    params.conditional.size = arms;
    params.conditional.ctx = handle<CUcontext>(current_context());
    CUgraphNode node = nullptr;
    const std::vector<CUgraphNode> before = handles(after);
    CUDA_CHECK(cuGraphAddNode, &node, handle<CUgraph>(graph), before.data(), nullptr, before.size(), &params);
    ConditionalNode made{number(node), {}};
    for (unsigned i = 0; i < arms; ++i) made.bodies.push_back(number(params.conditional.phGraph_out[i]));
    return made;
}

std::vector<RawNode> CudaDriver::nodes(RawGraph graph) {
    std::size_t count = 0;
    CUDA_CHECK(cuGraphGetNodes, handle<CUgraph>(graph), nullptr, &count);
    std::vector<CUgraphNode> raw(count);
    if (count > 0) CUDA_CHECK(cuGraphGetNodes, handle<CUgraph>(graph), raw.data(), &count);
    std::vector<RawNode> all;
    for (CUgraphNode node : raw) all.push_back(number(node));
    return all;
}

NodeType CudaDriver::type(RawNode node) {
    CUgraphNodeType found = CU_GRAPH_NODE_TYPE_EMPTY;
    CUDA_CHECK(cuGraphNodeGetType, handle<CUgraphNode>(node), &found);
    switch (found) {
        case CU_GRAPH_NODE_TYPE_KERNEL:
            return NodeType::kernel;
        case CU_GRAPH_NODE_TYPE_MEMCPY:
            return NodeType::copy;
        case CU_GRAPH_NODE_TYPE_MEMSET:
            return NodeType::fill;
        case CU_GRAPH_NODE_TYPE_HOST:
            return NodeType::host_function;
        case CU_GRAPH_NODE_TYPE_GRAPH:
            return NodeType::child;
        case CU_GRAPH_NODE_TYPE_EMPTY:
            return NodeType::empty;
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return NodeType::conditional;
        default:
            return NodeType::other;
    }
}

RawGraph CudaDriver::graph_of_child(RawNode node) {
    CUgraph graph = nullptr;
    CUDA_CHECK(cuGraphChildGraphNodeGetGraph, handle<CUgraphNode>(node), &graph);
    return number(graph);
}

KernelNode CudaDriver::kernel_node(RawNode node) {
    CUDA_KERNEL_NODE_PARAMS_v2 params{};
    CUDA_CHECK(cuGraphKernelNodeGetParams, handle<CUgraphNode>(node), &params);
    if (!params.func || !params.kernelParams) {
        throw Failure(
            EAGLE_BACKEND_UNSUPPORTED,
            "the kernel of the node was launched in a way whose parameters the driver does not tell; launch it "
            "through the seam");
    }
    const Shape shape{params.gridDimX,  params.gridDimY,  params.gridDimZ,      params.blockDimX,
                      params.blockDimY, params.blockDimZ, params.sharedMemBytes};
    return {number(params.func), shape, params.kernelParams};
}

RawExec CudaDriver::instantiate(RawGraph graph) {
    CUgraphExec exec = nullptr;
    CUDA_CHECK(cuGraphInstantiateWithFlags, &exec, handle<CUgraph>(graph), 0);
    return number(exec);
}

void CudaDriver::destroy_exec(RawExec exec) { CUDA_CHECK(cuGraphExecDestroy, handle<CUgraphExec>(exec)); }

void CudaDriver::launch(RawExec exec, RawStream stream) {
    CUDA_CHECK(cuGraphLaunch, handle<CUgraphExec>(exec), handle<CUstream>(stream));
}

void CudaDriver::set_kernel(RawExec exec, RawNode node, const KernelNode& to) {
    CUDA_KERNEL_NODE_PARAMS_v2 params{};
    params.func = handle<CUfunction>(to.function);
    params.gridDimX = to.shape.grid_x;
    params.gridDimY = to.shape.grid_y;
    params.gridDimZ = to.shape.grid_z;
    params.blockDimX = to.shape.block_x;
    params.blockDimY = to.shape.block_y;
    params.blockDimZ = to.shape.block_z;
    params.sharedMemBytes = to.shape.shared_bytes;
    params.kernelParams = to.parameters;
    CUDA_CHECK(cuGraphExecKernelNodeSetParams, handle<CUgraphExec>(exec), handle<CUgraphNode>(node), &params);
}

void CudaDriver::set_copy_source(RawExec exec, RawNode node, const Copy& like, std::uint64_t src) {
    CUDA_MEMCPY3D_v2 params{};
    CUDA_CHECK(cuGraphMemcpyNodeGetParams, handle<CUgraphNode>(like.node), &params);
    if (params.srcMemoryType == CU_MEMORYTYPE_ARRAY) {
        throw Failure(EAGLE_BACKEND_UNSUPPORTED, "the node copies from a CUDA array; only linear sources are changed");
    }
    if (params.srcMemoryType == CU_MEMORYTYPE_HOST) {
        params.srcHost = handle<const void*>(src);
    } else {
        params.srcDevice = src;
    }
    CUDA_CHECK(cuGraphExecMemcpyNodeSetParams, handle<CUgraphExec>(exec), handle<CUgraphNode>(node), &params,
               handle<CUcontext>(current_context()));
}

void CudaDriver::set_enabled(RawExec exec, RawNode node, bool is_enabled) {
    CUDA_CHECK(cuGraphNodeSetEnabled, handle<CUgraphExec>(exec), handle<CUgraphNode>(node), is_enabled ? 1u : 0u);
}

bool CudaDriver::update(RawExec exec, RawGraph graph) {
    CUgraphExecUpdateResultInfo info{};
    const CUresult code = CUDA_CALL(cuGraphExecUpdate)(handle<CUgraphExec>(exec), handle<CUgraph>(graph), &info);
    if (code == CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE) return false;
    check("cuGraphExecUpdate", code);
    return true;
}

}  // namespace eagle::cuda
