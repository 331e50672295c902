// From an owned handle to the type that the seam's functions take.
#pragma once
#include <eagle/detail/SeamHandle.h>

#include <vector>

#include "backend/Entry.h"

namespace eagle::detail {

template <class Native>
Native native(const SeamHandle& handle) {
    return static_cast<Native>(handle.get());
}

// Nodes that a call of the seam gave out, copied and given back.
inline std::vector<std::uint64_t> take_nodes(const seam::Table& seam, std::uint64_t* nodes, std::int64_t count) {
    struct GiveBack {
        const seam::Table& seam;
        void* nodes;
        ~GiveBack() { seam.free(nodes); }
    } const give_back{seam, nodes};
    return {nodes, nodes + count};
}

template <class Function>
void require_call(const Backend& backend, Function* function, const char* symbol) {
    backend.require_symbol(reinterpret_cast<const void*>(function), symbol);
}

}  // namespace eagle::detail
