// Handles of the graph groups' objects, each of which owns its object.
#pragma once
#include "OwnedHandles.h"
#include "ProcessWide.h"
#include "RecordedGraph.h"

namespace eagle::host {

template <class T>
class GraphHandles : public OwnedHandles<T, graph_lock> {
  public:
    static GraphHandles& of_process() { return process_wide<GraphHandles>(); }
};

}  // namespace eagle::host
