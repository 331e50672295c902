// Graphs: what replays do, the orders that they may take, and changes to an executable.
#include "Driver.h"

namespace driver {
namespace {

class Graph : public Driver {
  protected:
    CUgraph end() {
        CUgraph graph = nullptr;
        EXPECT_DONE(cuStreamEndCapture(a, &graph));
        return graph;
    }
    CUgraphExec instantiate(CUgraph graph) {
        CUgraphExec exec = nullptr;
        EXPECT_DONE(cuGraphInstantiateWithFlags(&exec, graph, 0));
        return exec;
    }
    void replay(CUgraphExec exec) {
        EXPECT_DONE(cuGraphLaunch(exec, a));
        EXPECT_DONE(cuStreamSynchronize(a));
    }
    void begin() { EXPECT_DONE(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)); }
    std::vector<CUgraphNode> nodes(CUgraph graph) {
        std::size_t count = 0;
        EXPECT_DONE(cuGraphGetNodes(graph, nullptr, &count));
        std::vector<CUgraphNode> all(count);
        EXPECT_DONE(cuGraphGetNodes(graph, all.data(), &count));
        return all;
    }
};

TEST_F(Graph, ReplaysAForkAndItsJoin) {
    CUdeviceptr x = words(64, 1), y = words(64, 0);
    CUevent out = nullptr, back = nullptr;
    EXPECT_DONE(cuEventCreate(&out, CU_EVENT_DISABLE_TIMING));
    EXPECT_DONE(cuEventCreate(&back, CU_EVENT_DISABLE_TIMING));
    unsigned n = 64;
    begin();
    EXPECT_DONE(add(x, 1, a));
    EXPECT_DONE(cuEventRecord(out, a));
    EXPECT_DONE(cuStreamWaitEvent(b, out, 0));
    EXPECT_DONE(launch("add_vectors", b, n, {&x, &y, &n}));
    EXPECT_DONE(cuEventRecord(back, b));
    EXPECT_DONE(cuStreamWaitEvent(a, back, 0));
    EXPECT_DONE(add(x, 10, a));
    CUgraph graph = end();
    std::size_t edges = 0;
    EXPECT_DONE(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
    EXPECT_EQ(nodes(graph).size(), 3u);
    EXPECT_EQ(edges, 3u);  // the join waits for the branch and for the origin's own last node
    CUgraphExec exec = instantiate(graph);
    replay(exec);
    replay(exec);
    EXPECT_EQ(at(x)[5], 23u);
    EXPECT_EQ(at(y)[5], 2u + 13u);
    EXPECT_DONE(cuGraphExecDestroy(exec));
    EXPECT_DONE(cuGraphDestroy(graph));
    EXPECT_DONE(cuEventDestroy(out));
    EXPECT_DONE(cuEventDestroy(back));
}

// Without an edge both orders are legal, and both are taken.
TEST_F(Graph, TakesEveryOrderThatTheEdgesAllow) {
    CUdeviceptr x = words(64, 0), y = words(64, 0);
    CUgraph graph = nullptr;
    EXPECT_DONE(cuGraphCreate(&graph, 0));
    unsigned n = 64, one = 1;
    void* first[] = {&x, &one, &n};
    void* second[] = {&x, &y, &n};
    CUgraphNode node = nullptr;
    CUgraphNodeParams params{};
    params.type = CU_GRAPH_NODE_TYPE_KERNEL;
    params.kernel.gridDimX = params.kernel.gridDimY = params.kernel.gridDimZ = 1;
    params.kernel.blockDimX = 64;
    params.kernel.blockDimY = params.kernel.blockDimZ = 1;
    params.kernel.func = function("add_to");
    params.kernel.kernelParams = first;
    EXPECT_DONE(cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    params.kernel.func = function("add_vectors");
    params.kernel.kernelParams = second;
    EXPECT_DONE(cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    CUgraphExec exec = instantiate(graph);
    int seen[2] = {0, 0};
    for (int i = 0; i < 40; ++i) {
        at(x)[0] = at(y)[0] = 0;
        replay(exec);
        ASSERT_LE(at(y)[0], 1u);
        ++seen[at(y)[0]];
    }
    EXPECT_GT(seen[0], 0);
    EXPECT_GT(seen[1], 0);
    EXPECT_DONE(cuGraphExecDestroy(exec));
    EXPECT_DONE(cuGraphDestroy(graph));
}

TEST_F(Graph, NodesAreSwitchedOffAndOn) {
    CUdeviceptr x = words(64, 0);
    begin();
    EXPECT_DONE(add(x, 1, a));
    EXPECT_DONE(cuMemsetD32Async(x, 50, 1, a));
    EXPECT_DONE(cuLaunchHostFunc(a, [](void*) {}, nullptr));
    CUgraph graph = end();
    CUgraphExec exec = instantiate(graph);
    std::vector<CUgraphNode> all = nodes(graph);
    EXPECT_CODE(cuGraphNodeSetEnabled(exec, all[2], 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_DONE(cuGraphNodeSetEnabled(exec, all[1], 0));
    replay(exec);
    EXPECT_EQ(at(x)[0], 1u);
    EXPECT_DONE(cuGraphNodeSetEnabled(exec, all[1], 1));
    replay(exec);
    EXPECT_EQ(at(x)[0], 50u);
    EXPECT_DONE(cuGraphExecDestroy(exec));
    EXPECT_DONE(cuGraphDestroy(graph));
}

TEST_F(Graph, TakesOverAnotherOfTheSameShapeAlone) {
    CUdeviceptr x = words(64, 0);
    begin();
    EXPECT_DONE(add(x, 1, a));
    CUgraph first = end();
    begin();
    EXPECT_DONE(add(x, 7, a));
    CUgraph second = end();
    begin();
    EXPECT_DONE(add(x, 1, a));
    EXPECT_DONE(add(x, 1, a));
    CUgraph other = end();
    CUgraphExec exec = instantiate(first);
    CUgraphExecUpdateResultInfo info{};
    EXPECT_CODE(cuGraphExecUpdate(exec, other, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
    EXPECT_DONE(cuGraphExecUpdate(exec, second, &info));
    replay(exec);
    EXPECT_EQ(at(x)[0], 7u);
    EXPECT_DONE(cuGraphExecDestroy(exec));
    for (CUgraph graph : {first, second, other}) EXPECT_DONE(cuGraphDestroy(graph));
}

}  // namespace
}  // namespace driver
