// Graphs and executables.
#include "Shim.h"

namespace eagle::hip::abi {

namespace {

CUgraph cuda(hipGraph_t graph) { return reinterpret_cast<CUgraph>(graph); }
CUgraphNode cuda(hipGraphNode_t node) { return reinterpret_cast<CUgraphNode>(node); }
CUgraphNode* cuda(hipGraphNode_t* nodes) { return reinterpret_cast<CUgraphNode*>(nodes); }
const CUgraphNode* cuda(const hipGraphNode_t* nodes) { return reinterpret_cast<const CUgraphNode*>(nodes); }
CUgraphExec cuda(hipGraphExec_t exec) { return reinterpret_cast<CUgraphExec>(exec); }

static_assert(int{hipGraphNodeTypeKernel} == int{CU_GRAPH_NODE_TYPE_KERNEL});
static_assert(int{hipGraphNodeTypeMemcpy} == int{CU_GRAPH_NODE_TYPE_MEMCPY});
static_assert(int{hipGraphNodeTypeMemset} == int{CU_GRAPH_NODE_TYPE_MEMSET});
static_assert(int{hipGraphNodeTypeHost} == int{CU_GRAPH_NODE_TYPE_HOST});
static_assert(int{hipGraphNodeTypeGraph} == int{CU_GRAPH_NODE_TYPE_GRAPH});
static_assert(int{hipGraphNodeTypeEmpty} == int{CU_GRAPH_NODE_TYPE_EMPTY});

}  // namespace

hipError_t hipGraphCreate(hipGraph_t* graph, unsigned flags) {
    SHIM_RETURN(cuGraphCreate, 10000, reinterpret_cast<CUgraph*>(graph), flags);
}

hipError_t hipGraphDestroy(hipGraph_t graph) { SHIM_RETURN(cuGraphDestroy, 10000, cuda(graph)); }

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* after,
                                std::size_t count) {
    SHIM_RETURN(cuGraphAddEmptyNode, 10000, cuda(node), cuda(graph), cuda(after), count);
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* after,
                                     std::size_t count, hipGraph_t child) {
    SHIM_RETURN(cuGraphAddChildGraphNode, 10000, cuda(node), cuda(graph), cuda(after), count, cuda(child));
}

hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* graph) {
    SHIM_RETURN(cuGraphChildGraphNodeGetGraph, 10000, cuda(node), reinterpret_cast<CUgraph*>(graph));
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, std::size_t* count) {
    SHIM_RETURN(cuGraphGetNodes, 10000, cuda(graph), cuda(nodes), count);
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType* type) {
    SHIM_RETURN(cuGraphNodeGetType, 10000, cuda(node), reinterpret_cast<CUgraphNodeType*>(type));
}

hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* params) {
    const hip_shim::OnDevice on;
    if (on.trouble) return hip_shim::result(on.trouble);
    CUDA_KERNEL_NODE_PARAMS_v2 found{};
    const CUresult code = CUDA_FUNCTION(cuGraphKernelNodeGetParams, 12000)(cuda(node), &found);
    params->func = found.func;
    params->gridDim = {found.gridDimX, found.gridDimY, found.gridDimZ};
    params->blockDim = {found.blockDimX, found.blockDimY, found.blockDimZ};
    params->sharedMemBytes = found.sharedMemBytes;
    params->kernelParams = found.kernelParams;
    params->extra = found.extra;
    return hip_shim::result(code);
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* exec, hipGraph_t graph, unsigned long long flags) {
    SHIM_RETURN(cuGraphInstantiateWithFlags, 11040, reinterpret_cast<CUgraphExec*>(exec), cuda(graph), flags);
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec) { SHIM_RETURN(cuGraphExecDestroy, 10000, cuda(exec)); }

hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
    SHIM_RETURN(cuGraphLaunch, 10000, cuda(exec), reinterpret_cast<CUstream>(stream));
}

hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipKernelNodeParams* params) {
    CUDA_KERNEL_NODE_PARAMS_v2 to{};
    to.func = static_cast<CUfunction>(params->func);
    to.gridDimX = params->gridDim.x;
    to.gridDimY = params->gridDim.y;
    to.gridDimZ = params->gridDim.z;
    to.blockDimX = params->blockDim.x;
    to.blockDimY = params->blockDim.y;
    to.blockDimZ = params->blockDim.z;
    to.sharedMemBytes = params->sharedMemBytes;
    to.kernelParams = params->kernelParams;
    to.extra = params->extra;
    SHIM_RETURN(cuGraphExecKernelNodeSetParams, 12000, cuda(exec), cuda(node), &to);
}

hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void* dst, const void* src,
                                             std::size_t bytes, hipMemcpyKind kind) {
    const hip_shim::OnDevice on;
    if (on.trouble) return hip_shim::result(on.trouble);
    if (kind != hipMemcpyDefault) return hip_shim::last_error() = hipErrorInvalidValue;
    CUDA_MEMCPY3D_v2 params{};
    CUresult code = CUDA_FUNCTION(cuGraphMemcpyNodeGetParams, 10000)(cuda(node), &params);
    if (code != CUDA_SUCCESS) return hip_shim::result(code);
    params.srcHost = src;
    params.srcDevice = reinterpret_cast<CUdeviceptr>(src);
    params.dstHost = dst;
    params.dstDevice = reinterpret_cast<CUdeviceptr>(dst);
    params.WidthInBytes = bytes;
    CUcontext context = nullptr;
    CUDA_FUNCTION(cuCtxGetCurrent, 4000)(&context);
    code = CUDA_FUNCTION(cuGraphExecMemcpyNodeSetParams, 10020)(cuda(exec), cuda(node), &params, context);
    return hip_shim::result(code);
}

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t node, unsigned is_enabled) {
    SHIM_RETURN(cuGraphNodeSetEnabled, 11060, cuda(exec), cuda(node), is_enabled);
}

hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t* unlike,
                              hipGraphExecUpdateResult* of_update) {
    *unlike = nullptr;
    CUgraphExecUpdateResultInfo info{};
    const hip_shim::OnDevice on;
    const CUresult code =
        on.trouble ? on.trouble : CUDA_FUNCTION(cuGraphExecUpdate, 12000)(cuda(exec), cuda(graph), &info);
    *of_update = static_cast<hipGraphExecUpdateResult>(info.result);
    return hip_shim::result(code);
}

}  // namespace eagle::hip::abi
