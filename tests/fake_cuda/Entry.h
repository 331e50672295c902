// Entries of the table that cuGetProcAddress looks into; the type of each is NVIDIA's for that version.
#pragma once
#include <cudaTypedefs.h>

#include <vector>

#include "State.h"

namespace fake_cuda {

struct Entry {
    const char* name;
    int since;  // the version of the driver that brought this form of it
    void* function;
};

template <class Function>
Entry make_entry(const char* name, int since, Function function) {
    return {name, since, reinterpret_cast<void*>(function)};
}

std::vector<Entry> device_entries();
std::vector<Entry> stream_entries();
std::vector<Entry> event_entries();
std::vector<Entry> memory_entries();
std::vector<Entry> module_entries();
std::vector<Entry> launch_entries();
std::vector<Entry> capture_entries();
std::vector<Entry> graph_entries();
std::vector<Entry> graph_node_entries();
std::vector<Entry> exec_entries();

}  // namespace fake_cuda

#define FAKE_CUDA_ENTRY(name, since, function) ::fake_cuda::make_entry<PFN_##name##_v##since>(#name, since, &function)
// The first statement of a driver function.
#define FAKE_CUDA_ENTER(name, needs) \
    if (CUresult refused = ::fake_cuda::enter(#name, ::fake_cuda::Needs::needs)) return refused
// The same for one that gives something back: `late` is what it returns when all went well.
#define FAKE_CUDA_ENTER_LATE(name, needs) \
    CUresult late = CUDA_SUCCESS;         \
    if (CUresult refused = ::fake_cuda::enter(#name, ::fake_cuda::Needs::needs, &late)) return refused
