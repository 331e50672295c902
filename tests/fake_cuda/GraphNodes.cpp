// Nodes that are added to a graph, and what they hold.
#include <cstring>

#include "Entry.h"

namespace fake_cuda {
namespace {

constexpr int with_else_and_switch = 12080, with_moved_children = 12090;

bool are_nodes_of(CUgraph graph, const CUgraphNode* nodes, std::size_t count) {
    if (!state().graphs.count(graph)) return false;
    for (std::size_t i = 0; i < count; ++i) {
        if (!state().nodes.count(nodes[i]) || nodes[i]->graph != graph) return false;
    }
    return true;
}

CUresult add_child(CUgraphNode* out, CUgraph graph, const CUgraphNode* after, std::size_t count, CUgraph child,
                   bool moves) {
    if (!state().graphs.count(child) || child->is_inner) return CUDA_ERROR_INVALID_VALUE;
    if (moves && settings().version < with_moved_children) return CUDA_ERROR_INVALID_VALUE;
    // CUDA_CHILD_GRAPH_NODE_PARAMS of the driver's reference: no conditional nodes, whoever owns the child.
    if (holds_conditional(*child)) return CUDA_ERROR_NOT_SUPPORTED;
    CUgraphNode node = add_node(graph, CU_GRAPH_NODE_TYPE_GRAPH, after, count);
    NodeMap node_of;
    if (moves) {
        node->graphs.emplace_back(child);
    } else {
        node->graphs.push_back(copy_of(*child, node_of));
    }
    node->graphs[0]->is_inner = true;
    node->graph_pointers.push_back(node->graphs[0].get());
    *out = node;
    return CUDA_SUCCESS;
}

bool has_legal_size(const CUDA_CONDITIONAL_NODE_PARAMS& of) {
    bool is_recent = settings().version >= with_else_and_switch;
    switch (of.type) {
        case CU_GRAPH_COND_TYPE_IF:
            return of.size == 1 || (of.size == 2 && is_recent);
        case CU_GRAPH_COND_TYPE_WHILE:
            return of.size == 1;
        case CU_GRAPH_COND_TYPE_SWITCH:
            return of.size > 0 && is_recent;
        default:
            return false;
    }
}

CUresult add_conditional(CUgraphNode* out, CUgraph graph, const CUgraphNode* after, std::size_t count,
                         CUDA_CONDITIONAL_NODE_PARAMS& of) {
    auto found = state().conditions.find(of.handle);
    if (found == state().conditions.end()) return CUDA_ERROR_INVALID_VALUE;
    Condition& condition = *found->second;
    if (condition.has_node || condition.graph != graph || !of.ctx || !has_legal_size(of))
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNode node = add_node(graph, CU_GRAPH_NODE_TYPE_CONDITIONAL, after, count);
    node->condition = found->second;
    node->condition_type = of.type;
    condition.has_node = true;
    for (unsigned i = 0; i < of.size; ++i) {
        node->graphs.push_back(std::make_unique<CUgraph_st>());
        node->graphs.back()->is_inner = true;
        node->graph_pointers.push_back(node->graphs.back().get());
    }
    of.phGraph_out = node->graph_pointers.data();
    *out = node;
    return CUDA_SUCCESS;
}

CUresult add_kernel(CUgraphNode* out, CUgraph graph, const CUgraphNode* after, std::size_t count,
                    const CUDA_KERNEL_NODE_PARAMS_v3& of) {
    if (!of.func || of.extra || !of.gridDimX || !of.blockDimX) return CUDA_ERROR_INVALID_VALUE;
    CUgraphNode node = add_node(graph, CU_GRAPH_NODE_TYPE_KERNEL, after, count);
    node->function = of.func;
    node->shape = {of.gridDimX, of.gridDimY, of.gridDimZ, of.blockDimX, of.blockDimY, of.blockDimZ, of.sharedMemBytes};
    node->arguments = Arguments(*of.func->kernel, of.kernelParams);
    *out = node;
    return CUDA_SUCCESS;
}

CUresult add(CUgraphNode* out, CUgraph graph, const CUgraphNode* after, std::size_t count, CUgraphNodeParams* of) {
    Lock lock(state().mutex);
    if (!are_nodes_of(graph, after, count)) return CUDA_ERROR_INVALID_VALUE;
    switch (of->type) {
        case CU_GRAPH_NODE_TYPE_KERNEL:
            return add_kernel(out, graph, after, count, of->kernel);
        case CU_GRAPH_NODE_TYPE_HOST:
            *out = add_node(graph, of->type, after, count);
            (*out)->host = of->host.fn;
            (*out)->host_data = of->host.userData;
            return CUDA_SUCCESS;
        case CU_GRAPH_NODE_TYPE_EMPTY:
            *out = add_node(graph, of->type, after, count);
            return CUDA_SUCCESS;
        case CU_GRAPH_NODE_TYPE_GRAPH:
            return add_child(out, graph, after, count, of->graph.graph,
                             of->graph.ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE);
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return add_conditional(out, graph, after, count, of->conditional);
        default:
            return CUDA_ERROR_NOT_SUPPORTED;
    }
}

CUresult add_any(CUgraphNode* out, CUgraph graph, const CUgraphNode* after, std::size_t count, CUgraphNodeParams* of) {
    FAKE_CUDA_ENTER(cuGraphAddNode, driver);
    return add(out, graph, after, count, of);
}

CUresult add_any_with_edges(CUgraphNode* out, CUgraph graph, const CUgraphNode* after, const CUgraphEdgeData*,
                            std::size_t count, CUgraphNodeParams* of) {
    FAKE_CUDA_ENTER(cuGraphAddNode, driver);
    return add(out, graph, after, count, of);
}

CUresult add_empty(CUgraphNode* out, CUgraph graph, const CUgraphNode* after, std::size_t count) {
    FAKE_CUDA_ENTER(cuGraphAddEmptyNode, driver);
    CUgraphNodeParams of{};
    of.type = CU_GRAPH_NODE_TYPE_EMPTY;
    return add(out, graph, after, count, &of);
}

CUresult add_child_graph(CUgraphNode* out, CUgraph graph, const CUgraphNode* after, std::size_t count, CUgraph child) {
    FAKE_CUDA_ENTER(cuGraphAddChildGraphNode, driver);
    CUgraphNodeParams of{};
    of.type = CU_GRAPH_NODE_TYPE_GRAPH;
    of.graph.graph = child;
    return add(out, graph, after, count, &of);
}

bool is_node(CUgraphNode node, CUgraphNodeType type) { return state().nodes.count(node) && node->type == type; }

CUresult kernel_params(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v2* out) {
    FAKE_CUDA_ENTER(cuGraphKernelNodeGetParams, driver);
    Lock lock(state().mutex);
    if (!is_node(node, CU_GRAPH_NODE_TYPE_KERNEL)) return CUDA_ERROR_INVALID_VALUE;
    *out = {};
    out->func = node->function;
    out->gridDimX = node->shape.grid_x;
    out->gridDimY = node->shape.grid_y;
    out->gridDimZ = node->shape.grid_z;
    out->blockDimX = node->shape.block_x;
    out->blockDimY = node->shape.block_y;
    out->blockDimZ = node->shape.block_z;
    out->sharedMemBytes = node->shape.shared_bytes;
    out->kernelParams = node->arguments.addresses();
    return CUDA_SUCCESS;
}

CUresult copy_params(CUgraphNode node, CUDA_MEMCPY3D_v2* out) {
    FAKE_CUDA_ENTER(cuGraphMemcpyNodeGetParams, driver);
    Lock lock(state().mutex);
    if (!is_node(node, CU_GRAPH_NODE_TYPE_MEMCPY)) return CUDA_ERROR_INVALID_VALUE;
    *out = {};
    out->srcMemoryType = out->dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    out->srcDevice = node->src;
    out->dstDevice = node->dst;
    out->WidthInBytes = node->width;
    out->Height = out->Depth = 1;
    return CUDA_SUCCESS;
}

}  // namespace

std::vector<Entry> graph_node_entries() {
    return {
        FAKE_CUDA_ENTRY(cuGraphAddNode, 12020, add_any),
        FAKE_CUDA_ENTRY(cuGraphAddNode, 12030, add_any_with_edges),
        FAKE_CUDA_ENTRY(cuGraphAddEmptyNode, 10000, add_empty),
        FAKE_CUDA_ENTRY(cuGraphAddChildGraphNode, 10000, add_child_graph),
        FAKE_CUDA_ENTRY(cuGraphKernelNodeGetParams, 12000, kernel_params),
        FAKE_CUDA_ENTRY(cuGraphMemcpyNodeGetParams, 10000, copy_params),
    };
}

}  // namespace fake_cuda
