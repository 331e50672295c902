// Conditional nodes that a capture is begun into.
#include "Driver.h"

namespace driver {
namespace {

class Conditional : public Driver {
  protected:
    void SetUp() override {
        Driver::SetUp();
        EXPECT_DONE(cuGraphCreate(&graph, 0));
    }
    void TearDown() override {
        EXPECT_DONE(cuGraphDestroy(graph));
        Driver::TearDown();
    }
    CUresult add_node(CUgraphConditionalNodeType type, unsigned size, unsigned initial) {
        EXPECT_DONE(cuGraphConditionalHandleCreate(&handle, graph, context, initial, CU_GRAPH_COND_ASSIGN_DEFAULT));
        CUgraphNodeParams params{};
        params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
        params.conditional.handle = handle;
        params.conditional.type = type;
        params.conditional.size = size;
        params.conditional.ctx = context;
        CUgraphNode node = nullptr;
        CUresult result = cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
        if (result == CUDA_SUCCESS)
            bodies.assign(params.conditional.phGraph_out, params.conditional.phGraph_out + size);
        return result;
    }
    void begin(CUgraph body) {
        EXPECT_DONE(cuStreamBeginCaptureToGraph(a, body, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    }
    void end(CUgraph body) {
        CUgraph ended = nullptr;
        EXPECT_DONE(cuStreamEndCapture(a, &ended));
        EXPECT_EQ(ended, body);
    }
    void replay() {
        CUgraphExec exec = nullptr;
        EXPECT_DONE(cuGraphInstantiateWithFlags(&exec, graph, 0));
        CUgraphExec second = nullptr;
        EXPECT_CODE(cuGraphInstantiateWithFlags(&second, graph, 0), CUDA_ERROR_NOT_SUPPORTED);
        EXPECT_DONE(cuGraphLaunch(exec, b));
        EXPECT_DONE(cuStreamSynchronize(b));
        EXPECT_DONE(cuGraphExecDestroy(exec));
    }

    CUgraph graph = nullptr;
    CUgraphConditionalHandle handle = 0;
    std::vector<CUgraph> bodies;
};

TEST_F(Conditional, WhileRunsUntilItsBodySaysZero) {
    CUdeviceptr x = words(64, 0), left = words(1, 5);
    ASSERT_EQ(add_node(CU_GRAPH_COND_TYPE_WHILE, 1, 1), CUDA_SUCCESS);
    begin(bodies[0]);
    EXPECT_DONE(add(x, 2, a));
    void* params[] = {&handle, &left};
    EXPECT_DONE(cuLaunchKernel(function("count_down"), 1, 1, 1, 1, 1, 1, 0, a, params, nullptr));
    end(bodies[0]);
    replay();
    EXPECT_EQ(at(x)[0], 10u);
    EXPECT_EQ(at(left)[0], 0u);
}

TEST_F(Conditional, ABodyCopiesNoPageableMemory) {
    CUdeviceptr x = words(64, 0);
    std::vector<unsigned> pageable(64);
    ASSERT_EQ(add_node(CU_GRAPH_COND_TYPE_IF, 1, 1), CUDA_SUCCESS);
    begin(bodies[0]);
    EXPECT_DONE(cuMemcpyAsync(x, reinterpret_cast<CUdeviceptr>(pageable.data()), 256, a));
    end(bodies[0]);
    CUgraphExec exec = nullptr;
    EXPECT_CODE(cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Conditional, ElseRunsForZero) {
    CUdeviceptr x = words(64, 0);
    ASSERT_EQ(add_node(CU_GRAPH_COND_TYPE_IF, 2, 0), CUDA_SUCCESS);
    for (unsigned arm = 0; arm < 2; ++arm) {
        begin(bodies[arm]);
        EXPECT_DONE(add(x, arm + 1, a));
        end(bodies[arm]);
    }
    replay();
    EXPECT_EQ(at(x)[0], 2u);
}

TEST_F(Conditional, SwitchRunsNothingForAValueWithoutAnArm) {
    CUdeviceptr x = words(64, 0);
    ASSERT_EQ(add_node(CU_GRAPH_COND_TYPE_SWITCH, 3, 3), CUDA_SUCCESS);
    for (CUgraph body : bodies) {
        begin(body);
        EXPECT_DONE(add(x, 1, a));
        end(body);
    }
    replay();
    EXPECT_EQ(at(x)[0], 0u);
}

TEST_F(Conditional, AHostFunctionInABodyIsRefused) {
    ASSERT_EQ(add_node(CU_GRAPH_COND_TYPE_IF, 1, 1), CUDA_SUCCESS);
    begin(bodies[0]);
    EXPECT_DONE(cuLaunchHostFunc(a, [](void*) {}, nullptr));
    end(bodies[0]);
    CUgraphExec exec = nullptr;
    EXPECT_CODE(cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Conditional, AGraphThatHoldsOneIsNoChild) {
    ASSERT_EQ(add_node(CU_GRAPH_COND_TYPE_IF, 1, 1), CUDA_SUCCESS);
    CUgraph outer = nullptr;
    EXPECT_DONE(cuGraphCreate(&outer, 0));
    CUgraphNodeParams params{};
    params.type = CU_GRAPH_NODE_TYPE_GRAPH;
    params.graph.graph = graph;
    CUgraphNode node = nullptr;
    EXPECT_CODE(cuGraphAddNode(&node, outer, nullptr, nullptr, 0, &params), CUDA_ERROR_NOT_SUPPORTED);
    params.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
    EXPECT_CODE(cuGraphAddNode(&node, outer, nullptr, nullptr, 0, &params), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_DONE(cuGraphDestroy(outer));
}

}  // namespace
}  // namespace driver
