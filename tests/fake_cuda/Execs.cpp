// Executable graphs: made from a graph, changed, launched.
#include "Entry.h"

namespace fake_cuda {
namespace {

bool may_be_in_body(CUgraphNodeType type) {
    switch (type) {
        case CU_GRAPH_NODE_TYPE_KERNEL:
        case CU_GRAPH_NODE_TYPE_EMPTY:
        case CU_GRAPH_NODE_TYPE_GRAPH:
        case CU_GRAPH_NODE_TYPE_MEMSET:
        case CU_GRAPH_NODE_TYPE_MEMCPY:
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return true;
        default:
            return false;
    }
}

// CUDA C++ Programming Guide, "Conditional Node Body Graph Requirements": memory of the device, or page-locked memory.
bool has_fit_operands(const CUgraphNode_st& node) {
    return node.type != CU_GRAPH_NODE_TYPE_MEMCPY || (is_allocated(node.dst) && is_allocated(node.src));
}

bool is_legal(const CUgraph_st& graph, bool is_in_body) {
    for (const auto& node : graph.nodes) {
        if (is_in_body && !(may_be_in_body(node->type) && has_fit_operands(*node))) return false;
        bool is_body = is_in_body || node->type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
        for (const auto& inner : node->graphs) {
            if (!is_legal(*inner, is_body)) return false;
        }
    }
    for (const auto& condition : graph.conditions) {
        if (!condition->has_node) return false;
    }
    return true;
}

CUresult instantiate(CUgraphExec* out, CUgraph graph, unsigned long long) {
    FAKE_CUDA_ENTER(cuGraphInstantiateWithFlags, driver);
    Lock lock(state().mutex);
    if (!state().graphs.count(graph) || graph->is_inner || !is_legal(*graph, false)) return CUDA_ERROR_INVALID_VALUE;
    if (holds_conditional(*graph) && graph->live_executables > 0) return CUDA_ERROR_NOT_SUPPORTED;
    auto exec = std::make_unique<CUgraphExec_st>();
    exec->graph = copy_of(*graph, exec->node_of);
    exec->source = graph;
    ++graph->live_executables;
    state().execs.insert(exec.get());
    *out = exec.release();
    return CUDA_SUCCESS;
}

CUresult destroy(CUgraphExec exec) {
    FAKE_CUDA_ENTER_LATE(cuGraphExecDestroy, driver);
    Lock lock(state().mutex);
    if (!state().execs.erase(exec)) return CUDA_ERROR_INVALID_VALUE;
    if (state().graphs.count(exec->source)) --exec->source->live_executables;
    delete exec;
    return late;
}

CUgraphNode node_in(CUgraphExec exec, CUgraphNode node) {
    if (!state().execs.count(exec)) return nullptr;
    auto found = exec->node_of.find(node);
    return found == exec->node_of.end() ? nullptr : found->second;
}

CUresult set_kernel_params(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v2* to) {
    FAKE_CUDA_ENTER(cuGraphExecKernelNodeSetParams, driver);
    Lock lock(state().mutex);
    CUgraphNode found = node_in(exec, node);
    if (!found || found->type != CU_GRAPH_NODE_TYPE_KERNEL || !to->func) return CUDA_ERROR_INVALID_VALUE;
    found->function = to->func;
    found->shape = {to->gridDimX,  to->gridDimY,  to->gridDimZ,      to->blockDimX,
                    to->blockDimY, to->blockDimZ, to->sharedMemBytes};
    found->arguments = Arguments(*to->func->kernel, to->kernelParams);
    return CUDA_SUCCESS;
}

CUresult set_copy_params(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D_v2* to, CUcontext) {
    FAKE_CUDA_ENTER(cuGraphExecMemcpyNodeSetParams, driver);
    Lock lock(state().mutex);
    CUgraphNode found = node_in(exec, node);
    if (!found || found->type != CU_GRAPH_NODE_TYPE_MEMCPY) return CUDA_ERROR_INVALID_VALUE;
    found->src = to->srcDevice;
    found->dst = to->dstDevice;
    found->width = to->WidthInBytes;
    return CUDA_SUCCESS;
}

CUresult set_enabled(CUgraphExec exec, CUgraphNode node, unsigned is_enabled) {
    FAKE_CUDA_ENTER(cuGraphNodeSetEnabled, driver);
    Lock lock(state().mutex);
    CUgraphNode found = node_in(exec, node);
    bool has_switch = found && (found->type == CU_GRAPH_NODE_TYPE_KERNEL || found->type == CU_GRAPH_NODE_TYPE_MEMCPY ||
                                found->type == CU_GRAPH_NODE_TYPE_MEMSET);
    if (!has_switch) return CUDA_ERROR_INVALID_VALUE;
    found->is_enabled = is_enabled != 0;
    return CUDA_SUCCESS;
}

// The nodes of both graphs in their order have the same types and as many edges each, at every depth.
bool have_one_shape(const CUgraph_st& a, const CUgraph_st& b) {
    if (a.nodes.size() != b.nodes.size()) return false;
    std::unordered_map<CUgraphNode, std::size_t> place_in_a, place_in_b;
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        place_in_a[a.nodes[i].get()] = i;
        place_in_b[b.nodes[i].get()] = i;
    }
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        const CUgraphNode_st &x = *a.nodes[i], &y = *b.nodes[i];
        if (x.type != y.type || x.after.size() != y.after.size() || x.graphs.size() != y.graphs.size()) return false;
        std::set<std::size_t> x_after, y_after;
        for (CUgraphNode node : x.after) x_after.insert(place_in_a[node]);
        for (CUgraphNode node : y.after) y_after.insert(place_in_b[node]);
        if (x_after != y_after || x.condition_type != y.condition_type) return false;
        for (std::size_t g = 0; g < x.graphs.size(); ++g) {
            if (!have_one_shape(*x.graphs[g], *y.graphs[g])) return false;
        }
    }
    return true;
}

void take_over(CUgraph_st& to, const CUgraph_st& from) {
    for (std::size_t i = 0; i < to.nodes.size(); ++i) {
        CUgraphNode_st &x = *to.nodes[i], &y = *from.nodes[i];
        x.function = y.function;
        x.shape = y.shape;
        x.arguments = y.arguments;
        x.dst = y.dst;
        x.src = y.src;
        x.width = y.width;
        x.height = y.height;
        x.pitch = y.pitch;
        x.value = y.value;
        x.element = y.element;
        x.host = y.host;
        x.host_data = y.host_data;
        x.condition = y.condition;
        for (std::size_t g = 0; g < x.graphs.size(); ++g) take_over(*x.graphs[g], *y.graphs[g]);
    }
    to.conditions = from.conditions;
}

CUresult update(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
    FAKE_CUDA_ENTER(cuGraphExecUpdate, driver);
    Lock lock(state().mutex);
    if (!state().execs.count(exec) || !state().graphs.count(graph)) return CUDA_ERROR_INVALID_VALUE;
    *info = {};
    if (!have_one_shape(*exec->graph, *graph)) {
        info->result = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
        return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    }
    take_over(*exec->graph, *graph);
    return CUDA_SUCCESS;
}

CUresult upload(CUgraphExec exec, CUstream) {
    FAKE_CUDA_ENTER(cuGraphUpload, context);
    Lock lock(state().mutex);
    return state().execs.count(exec) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

void reset_conditions(const CUgraph_st& graph) {
    for (const auto& condition : graph.conditions) {
        if (condition->flags & CU_GRAPH_COND_ASSIGN_DEFAULT) condition->value = condition->initial;
    }
    for (const auto& node : graph.nodes) {
        for (const auto& inner : node->graphs) reset_conditions(*inner);
    }
}

// A launch runs the graph as it is at the call.
CUresult launch(CUgraphExec exec, CUstream raw) {
    FAKE_CUDA_ENTER(cuGraphLaunch, context);
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream || !state().execs.count(exec)) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) {
        invalidate(*stream->capture);
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    if (CUresult refused = require_no_implicit_dependency(stream)) return refused;
    NodeMap node_of;
    std::shared_ptr<CUgraph_st> now(copy_of(*exec->graph, node_of).release(), [](CUgraph_st* graph) {
        Lock inner(state().mutex);
        delete graph;
    });
    state().graphs.erase(now.get());  // nobody can name it
    unsigned seed = settings().seed * 7919u + static_cast<unsigned>(exec->launches++);
    count("launches");
    put(stream, [graph = std::move(now), seed] {
        reset_conditions(*graph);
        run_graph(*graph, seed);
    });
    return CUDA_SUCCESS;
}

}  // namespace

std::vector<Entry> exec_entries() {
    return {
        FAKE_CUDA_ENTRY(cuGraphInstantiateWithFlags, 11040, instantiate),
        FAKE_CUDA_ENTRY(cuGraphExecDestroy, 10000, destroy),
        FAKE_CUDA_ENTRY(cuGraphExecKernelNodeSetParams, 12000, set_kernel_params),
        FAKE_CUDA_ENTRY(cuGraphExecMemcpyNodeSetParams, 10020, set_copy_params),
        FAKE_CUDA_ENTRY(cuGraphNodeSetEnabled, 11060, set_enabled),
        FAKE_CUDA_ENTRY(cuGraphExecUpdate, 12000, update),
        FAKE_CUDA_ENTRY(cuGraphUpload, 11010, upload),
        FAKE_CUDA_ENTRY(cuGraphLaunch, 10000, launch),
    };
}

}  // namespace fake_cuda
