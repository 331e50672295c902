// Device and page-locked memory, which are both this machine's; copies and fills.
#include <cstdlib>
#include <cstring>

#include "Entry.h"

namespace fake_cuda {

void copy_bytes(CUdeviceptr dst, CUdeviceptr src, std::size_t bytes) {
    std::memmove(reinterpret_cast<void*>(dst), reinterpret_cast<const void*>(src), bytes);
}

void fill(const CUgraphNode_st& node) {
    for (std::size_t row = 0; row < node.height; ++row) {
        auto* at = reinterpret_cast<char*>(node.dst) + row * node.pitch;
        for (std::size_t i = 0; i < node.width; ++i) std::memcpy(at + i * node.element, &node.value, node.element);
    }
}

namespace {

constexpr std::size_t alignment = 512;
constexpr int fresh = 0xCD, freed = 0xDD;  // so that reads of memory that holds nothing are seen

CUresult allocate(Memory& memory, std::uintptr_t* out, std::size_t bytes) {
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    if (bytes > (std::size_t{1} << 36)) return CUDA_ERROR_OUT_OF_MEMORY;
    void* at = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!at) return CUDA_ERROR_OUT_OF_MEMORY;
    std::memset(at, fresh, bytes);
    *out = reinterpret_cast<std::uintptr_t>(at);
    memory.emplace(*out, Allocation{bytes, current_context->device});
    return CUDA_SUCCESS;
}

CUresult give_back(Memory& memory, std::uintptr_t address) {
    auto found = memory.find(address);
    if (found == memory.end()) return CUDA_ERROR_INVALID_VALUE;
    void* at = reinterpret_cast<void*>(address);
    std::memset(at, freed, found->second.bytes);
    memory.erase(found);
    std::free(at);
    return CUDA_SUCCESS;
}

CUresult allocate_device(CUdeviceptr* out, std::size_t bytes) {
    FAKE_CUDA_ENTER(cuMemAlloc, context);
    Lock lock(state().mutex);
    if (CUresult refused = require_no_unsafe_call()) return refused;
    std::uintptr_t address = 0;
    CUresult result = allocate(state().memory, &address, bytes);
    if (result == CUDA_SUCCESS) *out = address;
    return result;
}

CUresult free_device(CUdeviceptr address) {
    FAKE_CUDA_ENTER_LATE(cuMemFree, context);
    Lock lock(state().mutex);
    if (CUresult refused = require_no_unsafe_call()) return refused;
    if (address == 0) return late;
    wait_for_all(lock, current_context->device);
    CUresult result = give_back(state().memory, address);
    return result ? result : late;
}

CUresult allocate_pinned(void** out, std::size_t bytes, unsigned) {
    FAKE_CUDA_ENTER(cuMemHostAlloc, context);
    Lock lock(state().mutex);
    if (CUresult refused = require_no_unsafe_call()) return refused;
    std::uintptr_t address = 0;
    CUresult result = allocate(state().pinned, &address, bytes);
    if (result == CUDA_SUCCESS) *out = reinterpret_cast<void*>(address);
    return result;
}

CUresult free_pinned(void* address) {
    FAKE_CUDA_ENTER_LATE(cuMemFreeHost, context);
    Lock lock(state().mutex);
    if (CUresult refused = require_no_unsafe_call()) return refused;
    wait_for_all(lock, current_context->device);
    CUresult result = give_back(state().pinned, reinterpret_cast<std::uintptr_t>(address));
    return result ? result : late;
}

CUresult allocate_async(CUdeviceptr* out, std::size_t bytes, CUstream raw) {
    FAKE_CUDA_ENTER(cuMemAllocAsync, context);
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) return CUDA_ERROR_NOT_SUPPORTED;  // nodes that allocate are not here
    if (CUresult refused = require_no_implicit_dependency(stream)) return refused;
    std::uintptr_t address = 0;
    CUresult result = allocate(state().memory, &address, bytes);
    if (result == CUDA_SUCCESS) *out = address;
    return result;
}

CUresult free_async(CUdeviceptr address, CUstream raw) {
    FAKE_CUDA_ENTER_LATE(cuMemFreeAsync, context);
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) return CUDA_ERROR_NOT_SUPPORTED;
    if (CUresult refused = require_no_implicit_dependency(stream)) return refused;
    if (!state().memory.count(address)) return CUDA_ERROR_INVALID_VALUE;
    put(stream, [address] {
        Lock inner(state().mutex);
        give_back(state().memory, address);
    });
    return late;
}

const Allocation* allocation_of(const Memory& memory, CUdeviceptr address) {
    auto next = memory.upper_bound(address);
    if (next == memory.begin()) return nullptr;
    auto before = std::prev(next);
    return address < before->first + before->second.bytes ? &before->second : nullptr;
}

}  // namespace

bool is_allocated(CUdeviceptr address) {
    return allocation_of(state().memory, address) || allocation_of(state().pinned, address);
}

namespace {

CUresult pointer_attribute(void* out, CUpointer_attribute attribute, CUdeviceptr address) {
    FAKE_CUDA_ENTER(cuPointerGetAttribute, context);
    Lock lock(state().mutex);
    const Allocation* device = allocation_of(state().memory, address);
    const Allocation* pinned = allocation_of(state().pinned, address);
    if (!device && !pinned) return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            *static_cast<unsigned*>(out) = device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
            *static_cast<int*>(out) = (device ? device : pinned)->device;
            return CUDA_SUCCESS;
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
            *static_cast<int*>(out) = 0;
            return CUDA_SUCCESS;
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
}

// Pageable memory is the caller's again when the call returns: what comes from it is staged, what goes to it has
// arrived (CUDA Driver API, "API synchronization behavior").
CUresult copy_async(CUdeviceptr dst, CUdeviceptr src, std::size_t bytes, CUstream raw) {
    FAKE_CUDA_ENTER(cuMemcpyAsync, context);
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) {
        CUgraphNode node;
        if (CUresult refused = record(stream, CU_GRAPH_NODE_TYPE_MEMCPY, &node)) return refused;
        node->dst = dst;
        node->src = src;
        node->width = bytes;
        return CUDA_SUCCESS;
    }
    if (CUresult refused = require_no_implicit_dependency(stream)) return refused;
    if (!is_allocated(src)) {
        const auto* from = reinterpret_cast<const unsigned char*>(src);
        const auto staged = std::make_shared<std::vector<unsigned char>>(from, from + bytes);
        put(stream, [=] { copy_bytes(dst, reinterpret_cast<CUdeviceptr>(staged->data()), bytes); });
    } else {
        put(stream, [=] { copy_bytes(dst, src, bytes); });
    }
    const Progress done = stream->done;  // the stream may go while the lock is not held
    if (!is_allocated(dst)) wait_for(lock, done, stream->queued);
    return CUDA_SUCCESS;
}

CUresult fill_async(CUdeviceptr dst, unsigned value, unsigned element, std::size_t width, CUstream raw) {
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    auto describe = [=](CUgraphNode_st& node) {
        node.dst = dst;
        node.value = value;
        node.element = element;
        node.width = width;
    };
    if (stream->capture) {
        CUgraphNode node;
        if (CUresult refused = record(stream, CU_GRAPH_NODE_TYPE_MEMSET, &node)) return refused;
        describe(*node);
        return CUDA_SUCCESS;
    }
    if (CUresult refused = require_no_implicit_dependency(stream)) return refused;
    put(stream, [describe] {
        CUgraphNode_st node;
        describe(node);
        fill(node);
    });
    return CUDA_SUCCESS;
}

CUresult fill_bytes(CUdeviceptr dst, unsigned char value, std::size_t bytes, CUstream stream) {
    FAKE_CUDA_ENTER(cuMemsetD8Async, context);
    return fill_async(dst, value, 1, bytes, stream);
}

CUresult fill_words(CUdeviceptr dst, unsigned value, std::size_t words, CUstream stream) {
    FAKE_CUDA_ENTER(cuMemsetD32Async, context);
    return fill_async(dst, value, 4, words, stream);
}

}  // namespace

std::vector<Entry> memory_entries() {
    return {
        FAKE_CUDA_ENTRY(cuMemAlloc, 3020, allocate_device),
        FAKE_CUDA_ENTRY(cuMemFree, 3020, free_device),
        FAKE_CUDA_ENTRY(cuMemHostAlloc, 2020, allocate_pinned),
        FAKE_CUDA_ENTRY(cuMemFreeHost, 2000, free_pinned),
        FAKE_CUDA_ENTRY(cuMemAllocAsync, 11020, allocate_async),
        FAKE_CUDA_ENTRY(cuMemFreeAsync, 11020, free_async),
        FAKE_CUDA_ENTRY(cuPointerGetAttribute, 4000, pointer_attribute),
        FAKE_CUDA_ENTRY(cuMemcpyAsync, 4000, copy_async),
        FAKE_CUDA_ENTRY(cuMemsetD8Async, 3020, fill_bytes),
        FAKE_CUDA_ENTRY(cuMemsetD32Async, 3020, fill_words),
    };
}

}  // namespace fake_cuda
