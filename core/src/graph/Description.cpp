#include <eagle/GraphDescription.h>

#include <atomic>
#include <utility>

#include "graph/Recording.h"
#include "graph/Text.h"

namespace eagle {

using namespace graph;

namespace {

// What a description holds that was moved from: nothing, and the reason why nothing more can be recorded.
const std::shared_ptr<Recording>& moved_from() noexcept {
    static const auto recording = [] {
        auto made = std::make_shared<Recording>();
        made->name = "moved from";
        made->broken = "this GraphDescription was moved from and records no more; use the one that it was moved to";
        made->bodies.emplace_back();
        return made;
    }();
    return recording;
}

}  // namespace

GraphDescription::GraphDescription(std::string name, SourceLine where) : recording_(std::make_shared<Recording>()) {
    static std::atomic<std::uint64_t> next{1};
    recording_->id = next.fetch_add(1, std::memory_order_relaxed);
    recording_->name = std::move(name);
    recording_->where = std::move(where);
    Body root;
    root.label = "graph";
    root.where = recording_->where;
    recording_->bodies.push_back(std::move(root));
}

GraphDescription::~GraphDescription() = default;
GraphDescription::GraphDescription(GraphDescription&& other) noexcept
    : recording_(std::exchange(other.recording_, moved_from())) {}
GraphDescription& GraphDescription::operator=(GraphDescription&& other) noexcept {
    recording_ = std::exchange(other.recording_, moved_from());
    return *this;
}

const std::string& GraphDescription::name() const { return recording_->name; }
const SourceLine& GraphDescription::where() const { return recording_->where; }
std::uint64_t GraphDescription::id() const { return recording_->id; }
std::span<const Plane> GraphDescription::planes() const { return recording_->planes; }
std::span<const Node> GraphDescription::nodes() const { return recording_->nodes; }
std::span<const Body> GraphDescription::bodies() const { return recording_->bodies; }
std::span<const Strand> GraphDescription::strands() const { return recording_->strands; }
std::span<const ForkPoint> GraphDescription::forks() const { return recording_->forks; }

const Plane& GraphDescription::plane(PlaneRef plane) const {
    return recording_->plane_of(plane, "graph " + in_quotes(name()), where());
}

const Node& GraphDescription::node(NodeRef node) const {
    if (node.description != id() || node.index >= recording_->nodes.size())
        refuse<BadHandle>(where(), "graph " + in_quotes(name()) +
                                       " was asked for a node of another graph; it needs one that its own calls "
                                       "returned");
    return recording_->nodes[node.index];
}

PlaneRef GraphDescription::find_plane(std::string_view name) const {
    const auto found = recording_->plane_names.find(std::string(name));
    return found == recording_->plane_names.end() ? PlaneRef{} : PlaneRef{id(), found->second};
}

NodeRef GraphDescription::find_node(std::string_view name) const {
    const auto found = recording_->node_names.find(std::string(name));
    return found == recording_->node_names.end() ? NodeRef{} : NodeRef{id(), found->second};
}

}  // namespace eagle
