// One description at its addresses: the graph's own, or that of a child node.
#pragma once
#include <eagle/GraphAnalysis.h>
#include <eagle/GraphDescription.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "lowering/Branches.h"
#include "lowering/Site.h"
#include "lowering/Work.h"

namespace eagle::lowering {

struct Frame {
    std::shared_ptr<const GraphDescription> description;
    GraphAnalysis analysis;
    ArenaPlan arena;
    std::vector<std::uint64_t> addresses;      // by plane, of its element [0, 0, ...]
    std::vector<BodyPlan> bodies;              // by body
    std::vector<std::unique_ptr<Work>> works;  // by node
    std::vector<ScratchRef> controls;          // by node: of launches that report faults; 0 bytes of the others

    const graph::Plane& plane(graph::PlaneRef ref) const { return description->planes()[ref.index]; }
    const graph::Node& node(std::uint32_t index) const { return description->nodes()[index]; }
    std::uint64_t at(graph::PlaneRef ref) const { return addresses[ref.index]; }
    // The plane as an array of kernels, which run on `device`: where it lives was judged over the whole graph.
    ArrayView array(graph::PlaneRef ref, const graph::Device& device) const;
    // A cell's address, 0 for one that is not set.
    std::uint64_t cell(graph::CellRef ref) const { return ref ? at(ref.plane) : 0; }
};

// Checks the whole, plans arena and branches. Throws what analyze() throws, and BackendUnavailable naming the node that
// the backend cannot have. Nothing is allocated on the device.
std::unique_ptr<Frame> make_frame(std::shared_ptr<const GraphDescription> description, Site& site);
// Where a loop's stop cell is; 0 for none. On a host every loop has one.
std::uint64_t stop_of(const Frame& frame, const Site& site, const graph::While& loop);
// Once the arena is there: `base` is the address of the frame's part of it. Prepares every node.
void place(Frame& frame, Site& site, std::uint64_t base);

}  // namespace eagle::lowering
