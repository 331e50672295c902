// Graphs: making, copying and running them.
#include <random>

#include "Entry.h"

CUgraph_st::CUgraph_st() { fake_cuda::state().graphs.insert(this); }

CUgraph_st::~CUgraph_st() {
    for (const auto& node : nodes) fake_cuda::state().nodes.erase(node.get());
    fake_cuda::state().graphs.erase(this);
}

namespace fake_cuda {

CUgraphNode add_node(CUgraph graph, CUgraphNodeType type, const CUgraphNode* after, std::size_t count) {
    auto node = std::make_unique<CUgraphNode_st>();
    node->type = type;
    node->graph = graph;
    std::set<CUgraphNode> seen;
    for (std::size_t i = 0; i < count; ++i) {
        if (seen.insert(after[i]).second) node->after.push_back(after[i]);
    }
    state().nodes.insert(node.get());
    graph->nodes.push_back(std::move(node));
    return graph->nodes.back().get();
}

std::unique_ptr<CUgraph_st> copy_of(const CUgraph_st& graph, NodeMap& node_of) {
    auto copy = std::make_unique<CUgraph_st>();
    copy->conditions = graph.conditions;
    copy->is_inner = graph.is_inner;
    for (const auto& from : graph.nodes) {
        CUgraphNode to = add_node(copy.get(), from->type, nullptr, 0);
        to->is_enabled = from->is_enabled;
        to->function = from->function;
        to->shape = from->shape;
        to->arguments = from->arguments;
        to->dst = from->dst;
        to->src = from->src;
        to->width = from->width;
        to->height = from->height;
        to->pitch = from->pitch;
        to->value = from->value;
        to->element = from->element;
        to->host = from->host;
        to->host_data = from->host_data;
        to->condition = from->condition;
        to->condition_type = from->condition_type;
        for (const auto& inner : from->graphs) {
            to->graphs.push_back(copy_of(*inner, node_of));
            to->graph_pointers.push_back(to->graphs.back().get());
        }
        node_of[from.get()] = to;
    }
    for (const auto& from : graph.nodes) {
        for (CUgraphNode before : from->after) node_of[from.get()]->after.push_back(node_of[before]);
    }
    return copy;
}

bool holds_conditional(const CUgraph_st& graph) {
    for (const auto& node : graph.nodes) {
        if (node->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) return true;
        for (const auto& inner : node->graphs) {
            if (holds_conditional(*inner)) return true;
        }
    }
    return false;
}

void set_conditional(unsigned long long handle, unsigned value) {
    Lock lock(state().mutex);
    auto found = state().conditions.find(handle);
    if (found != state().conditions.end()) found->second->value = value;
}

namespace {

void run_conditional(CUgraphNode_st& node, unsigned seed) {
    const std::size_t bodies = node.graphs.size();
    if (node.condition_type == CU_GRAPH_COND_TYPE_WHILE) {
        while (node.condition->value != 0) run_graph(*node.graphs[0], ++seed);
        return;
    }
    unsigned value = node.condition->value;
    std::size_t body = node.condition_type == CU_GRAPH_COND_TYPE_IF ? (value != 0 ? 0 : 1) : value;
    if (body < bodies) run_graph(*node.graphs[body], seed);
}

void run_node(CUgraphNode_st& node, unsigned seed) {
    if (!node.is_enabled) return;
    switch (node.type) {
        case CU_GRAPH_NODE_TYPE_KERNEL:
            return run_kernel(*node.function->kernel, node.shape, node.arguments, seed);
        case CU_GRAPH_NODE_TYPE_MEMCPY:
            return copy_bytes(node.dst, node.src, node.width);
        case CU_GRAPH_NODE_TYPE_MEMSET:
            return fill(node);
        case CU_GRAPH_NODE_TYPE_HOST:
            return call_host(node.host, node.host_data);
        case CU_GRAPH_NODE_TYPE_GRAPH:
            return run_graph(*node.graphs[0], seed);
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return run_conditional(node, seed);
        default:
            return;
    }
}

}  // namespace

// Any order that the edges allow, by the seed: what relies on an edge that is not there shows.
void run_graph(CUgraph_st& graph, unsigned seed) {
    std::map<CUgraphNode, std::size_t> open;
    std::multimap<CUgraphNode, CUgraphNode> behind;
    std::vector<CUgraphNode> ready;
    for (const auto& node : graph.nodes) {
        open[node.get()] = node->after.size();
        for (CUgraphNode before : node->after) behind.emplace(before, node.get());
        if (node->after.empty()) ready.push_back(node.get());
    }
    std::minstd_rand random(seed + 1);
    while (!ready.empty()) {
        std::size_t i = random() % ready.size();
        CUgraphNode node = ready[i];
        ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(i));
        run_node(*node, static_cast<unsigned>(random()));
        auto [first, last] = behind.equal_range(node);
        for (auto next = first; next != last; ++next) {
            if (--open[next->second] == 0) ready.push_back(next->second);
        }
    }
}

namespace {

CUresult create(CUgraph* out, unsigned flags) {
    FAKE_CUDA_ENTER(cuGraphCreate, driver);
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    Lock lock(state().mutex);
    *out = new CUgraph_st;
    return CUDA_SUCCESS;
}

CUresult destroy(CUgraph graph) {
    FAKE_CUDA_ENTER_LATE(cuGraphDestroy, driver);
    Lock lock(state().mutex);
    if (!state().graphs.count(graph) || graph->is_inner) return CUDA_ERROR_INVALID_VALUE;
    delete graph;
    return late;
}

CUresult nodes_of(CUgraph graph, CUgraphNode* out, std::size_t* number) {
    FAKE_CUDA_ENTER(cuGraphGetNodes, driver);
    Lock lock(state().mutex);
    if (!state().graphs.count(graph)) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; out && i < *number; ++i) out[i] = i < graph->nodes.size() ? graph->nodes[i].get() : nullptr;
    *number = out ? std::min(*number, graph->nodes.size()) : graph->nodes.size();
    return CUDA_SUCCESS;
}

CUresult edges_of(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData*, std::size_t* number) {
    FAKE_CUDA_ENTER(cuGraphGetEdges, driver);
    Lock lock(state().mutex);
    if (!state().graphs.count(graph)) return CUDA_ERROR_INVALID_VALUE;
    std::size_t found = 0;
    for (const auto& node : graph->nodes) {
        for (CUgraphNode before : node->after) {
            if (from && to && found < *number) {
                from[found] = before;
                to[found] = node.get();
            }
            ++found;
        }
    }
    *number = found;
    return CUDA_SUCCESS;
}

CUresult dependencies_of(CUgraphNode node, CUgraphNode* out, std::size_t* number) {
    Lock lock(state().mutex);
    if (!state().nodes.count(node)) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t i = 0; out && i < *number && i < node->after.size(); ++i) out[i] = node->after[i];
    *number = node->after.size();
    return CUDA_SUCCESS;
}

CUresult dependencies(CUgraphNode node, CUgraphNode* out, std::size_t* number) {
    FAKE_CUDA_ENTER(cuGraphNodeGetDependencies, driver);
    return dependencies_of(node, out, number);
}

CUresult dependencies_with_edges(CUgraphNode node, CUgraphNode* out, CUgraphEdgeData*, std::size_t* number) {
    FAKE_CUDA_ENTER(cuGraphNodeGetDependencies, driver);
    return dependencies_of(node, out, number);
}

CUresult type_of(CUgraphNode node, CUgraphNodeType* type) {
    FAKE_CUDA_ENTER(cuGraphNodeGetType, driver);
    Lock lock(state().mutex);
    if (!state().nodes.count(node)) return CUDA_ERROR_INVALID_VALUE;
    *type = node->type;
    return CUDA_SUCCESS;
}

CUresult graph_of_child(CUgraphNode node, CUgraph* out) {
    FAKE_CUDA_ENTER(cuGraphChildGraphNodeGetGraph, driver);
    Lock lock(state().mutex);
    if (!state().nodes.count(node) || node->type != CU_GRAPH_NODE_TYPE_GRAPH) return CUDA_ERROR_INVALID_VALUE;
    *out = node->graphs[0].get();
    return CUDA_SUCCESS;
}

CUresult create_condition(CUgraphConditionalHandle* out, CUgraph graph, CUcontext context, unsigned initial,
                          unsigned flags) {
    FAKE_CUDA_ENTER(cuGraphConditionalHandleCreate, driver);
    Lock lock(state().mutex);
    if (!state().graphs.count(graph) || !context || flags > CU_GRAPH_COND_ASSIGN_DEFAULT)
        return CUDA_ERROR_INVALID_VALUE;
    auto condition = std::make_shared<Condition>();
    condition->handle = state().next_id++;
    condition->graph = graph;
    condition->initial = initial;
    condition->flags = flags;
    *out = condition->handle;
    graph->conditions.push_back(condition);
    state().conditions.emplace(condition->handle, condition);
    return CUDA_SUCCESS;
}

}  // namespace

std::vector<Entry> graph_entries() {
    return {
        FAKE_CUDA_ENTRY(cuGraphCreate, 10000, create),
        FAKE_CUDA_ENTRY(cuGraphDestroy, 10000, destroy),
        FAKE_CUDA_ENTRY(cuGraphGetNodes, 10000, nodes_of),
        FAKE_CUDA_ENTRY(cuGraphGetEdges, 12030, edges_of),
        FAKE_CUDA_ENTRY(cuGraphNodeGetDependencies, 10000, dependencies),
        FAKE_CUDA_ENTRY(cuGraphNodeGetDependencies, 12030, dependencies_with_edges),
        FAKE_CUDA_ENTRY(cuGraphNodeGetType, 10000, type_of),
        FAKE_CUDA_ENTRY(cuGraphChildGraphNodeGetGraph, 10000, graph_of_child),
        FAKE_CUDA_ENTRY(cuGraphConditionalHandleCreate, 12030, create_condition),
    };
}

}  // namespace fake_cuda
