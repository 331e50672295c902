// The one function that the driver's users look up by name.
#include "Entry.h"

namespace fake_cuda {
namespace {

const std::vector<Entry>& entries() {
    static const std::vector<Entry>& all = *[] {
        auto* collected = new std::vector<Entry>;
        for (auto part : {device_entries, stream_entries, event_entries, memory_entries, module_entries, launch_entries,
                          capture_entries, graph_entries, graph_node_entries, exec_entries}) {
            std::vector<Entry> some = part();
            collected->insert(collected->end(), some.begin(), some.end());
        }
        return collected;
    }();
    return all;
}

}  // namespace
}  // namespace fake_cuda

using namespace fake_cuda;

// The newest form of a function that the version asked for knows, where this driver has it.
extern "C" __attribute__((visibility("default"))) CUresult cuGetProcAddress_v2(const char* symbol, void** function,
                                                                               int version, cuuint64_t,
                                                                               CUdriverProcAddressQueryResult* status) {
    if (!symbol || !function) return CUDA_ERROR_INVALID_VALUE;
    *function = nullptr;
    const std::string name = symbol;
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    int newest = 0;
    if (name == "cuGetProcAddress") *function = reinterpret_cast<void*>(&cuGetProcAddress_v2);
    for (const Entry& entry : entries()) {
        if (name != entry.name || entry.since > settings().version || settings().missing.count(name)) continue;
        if (found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND) found = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
        if (entry.since > version || entry.since < newest) continue;
        newest = entry.since;
        *function = entry.function;
    }
    if (*function) found = CU_GET_PROC_ADDRESS_SUCCESS;
    if (status) *status = found;
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
