// Kernels and host functions.
#include <cstring>

#include "Entry.h"

namespace fake_cuda {

Arguments::Arguments(const Kernel& kernel, void* const* values)
    : sizes_(kernel.sizes, kernel.sizes + kernel.parameters) {
    point();
    for (std::size_t i = 0; i < sizes_.size(); ++i) std::memcpy(addresses_[i], values[i], sizes_[i]);
}

Arguments& Arguments::operator=(const Arguments& other) {
    sizes_ = other.sizes_;
    storage_ = other.storage_;
    point();
    return *this;
}

void Arguments::point() {
    constexpr std::size_t unit = sizeof(std::max_align_t);
    std::size_t units = 0;
    for (std::size_t size : sizes_) units += (size + unit - 1) / unit;
    storage_.resize(units);
    addresses_.clear();
    std::size_t at = 0;
    for (std::size_t size : sizes_) {
        addresses_.push_back(storage_.data() + at);
        at += (size + unit - 1) / unit;
    }
}

void run_kernel(const Kernel& kernel, const Shape& shape, Arguments& arguments, unsigned seed) {
    Launch launch{shape.grid_x,  shape.grid_y,          shape.grid_z, shape.block_x,   shape.block_y,
                  shape.block_z, arguments.addresses(), seed,         &set_conditional};
    kernel.run(launch);
    Lock lock(state().mutex);
    count("kernels");
}

void call_host(CUhostFn function, void* data) {
    is_in_host_function = true;
    function(data);
    is_in_host_function = false;
    Lock lock(state().mutex);
    count("host functions");
}

namespace {

bool is_legal(const Shape& shape) {
    unsigned long long threads = 1ull * shape.block_x * shape.block_y * shape.block_z;
    return shape.grid_x && shape.grid_y && shape.grid_z && threads > 0 && threads <= 1024;
}

CUresult launch(CUfunction function, const Shape& shape, CUstream raw, void** parameters, void** extra) {
    if (!function) return CUDA_ERROR_INVALID_HANDLE;
    if (extra || !is_legal(shape) || (function->kernel->parameters > 0 && !parameters)) return CUDA_ERROR_INVALID_VALUE;
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (shape.shared_bytes > function->most_shared) return CUDA_ERROR_INVALID_VALUE;
    if (function->module->context != stream->context) return CUDA_ERROR_INVALID_CONTEXT;
    Arguments arguments(*function->kernel, parameters);
    if (stream->capture) {
        CUgraphNode node;
        if (CUresult refused = record(stream, CU_GRAPH_NODE_TYPE_KERNEL, &node)) return refused;
        node->function = function;
        node->shape = shape;
        node->arguments = arguments;
        return CUDA_SUCCESS;
    }
    if (CUresult refused = require_no_implicit_dependency(stream)) return refused;
    const Kernel* kernel = function->kernel;
    unsigned seed = settings().seed + static_cast<unsigned>(stream->queued);
    put(stream, [=]() mutable { run_kernel(*kernel, shape, arguments, seed); });
    return CUDA_SUCCESS;
}

CUresult launch_kernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                       unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void** parameters,
                       void** extra) {
    FAKE_CUDA_ENTER(cuLaunchKernel, context);
    return launch(function, {grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes}, stream, parameters,
                  extra);
}

CUresult launch_host(CUstream raw, CUhostFn function, void* data) {
    FAKE_CUDA_ENTER(cuLaunchHostFunc, context);
    if (!function) return CUDA_ERROR_INVALID_VALUE;
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) {
        CUgraphNode node;
        if (CUresult refused = record(stream, CU_GRAPH_NODE_TYPE_HOST, &node)) return refused;
        node->host = function;
        node->host_data = data;
        return CUDA_SUCCESS;
    }
    if (CUresult refused = require_no_implicit_dependency(stream)) return refused;
    put(stream, [=] { call_host(function, data); });
    return CUDA_SUCCESS;
}

}  // namespace

std::vector<Entry> launch_entries() {
    return {
        FAKE_CUDA_ENTRY(cuLaunchKernel, 4000, launch_kernel),
        FAKE_CUDA_ENTRY(cuLaunchHostFunc, 10000, launch_host),
    };
}

}  // namespace fake_cuda
