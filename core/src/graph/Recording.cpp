#include "graph/Recording.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <utility>

#include "graph/Text.h"

namespace eagle::graph {

std::string left_by_an_exception(std::string_view part, const SourceLine& where) {
    return std::string(part) + " (" + where.text() +
           ") was left by an exception, so it holds a part of what was meant; record the graph anew, and let the "
           "exception pass or catch it inside";
}

void Recording::check_open(const SourceLine& at) const {
    if (frozen)
        refuse<InvalidArgument>(at, "graph " + in_quotes(name) + " (" + where.text() +
                                        ") is the child of another graph and takes no more nodes; record all of it "
                                        "before it becomes a child");
    if (lowered)
        refuse<InvalidArgument>(at, "graph " + in_quotes(name) + " (" + where.text() +
                                        ") was lowered and takes no more nodes; record all of it before it is built");
    if (!broken.empty()) refuse<InvalidArgument>(at, broken);
}

const Plane& Recording::plane_of(PlaneRef plane, std::string_view user, const SourceLine& at) const {
    if (!plane)
        refuse<BadHandle>(at, std::string(user) +
                                  " was given no plane; it needs one that this graph declared with "
                                  "plane(), scratch(), view() or cell()");
    if (plane.description != id)
        refuse<BadHandle>(at, std::string(user) + " was given a plane of another graph; it needs one of graph " +
                                  in_quotes(name) + ": declare the array in it with plane()");
    if (plane.index >= planes.size())
        refuse<BadHandle>(at, std::string(user) + " was given plane number " + std::to_string(plane.index) +
                                  "; graph " + in_quotes(name) + " has " + std::to_string(planes.size()) +
                                  ": use what its plane(), scratch(), view() and cell() return");
    return planes[plane.index];
}

PlaneRef Recording::add(Plane plane) {
    const auto index = static_cast<std::uint32_t>(planes.size());
    if (plane.root == none) plane.root = index;
    if (plane.scratch && plane.root == index) {
        imaginary_.resize(index + 1);
        imaginary_[index] = imaginary;
        imaginary += (plane.bytes + 4096) / 4096 * 4096;
    }
    if (!plane.hidden) plane_names.emplace(plane.name, index);
    planes.push_back(std::move(plane));
    return {id, index};
}

void Recording::drop_planes(std::size_t from) {
    for (std::size_t p = from; p < planes.size(); ++p) plane_names.erase(planes[p].name);
    planes.resize(from);
    imaginary_.resize(std::min(imaginary_.size(), from));
}

std::uint64_t Recording::address_of(const Plane& plane) const {
    return plane.scratch ? imaginary_[plane.root] + plane.offset : plane.address;
}

std::string Recording::node_name(std::string given, std::string_view work, const SourceLine& at) const {
    if (!given.empty()) {
        if (auto found = node_names.find(given); found != node_names.end())
            refuse<ArgumentError>(at, "a node named " + in_quotes(given) + " was recorded before (" +
                                          nodes[found->second].where.text() +
                                          "); names of nodes are unique: give another name, or none");
        if (std::any_of(given.begin(), given.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
            refuse<ArgumentError>(at, "the name of a node holds a control character; it needs a printable one");
        return given;
    }
    std::string base(work);
    if (node_names.find(base) == node_names.end()) return base;
    auto next = next_number.find(base);
    std::uint32_t number = next == next_number.end() ? 2 : next->second;
    std::string made;
    do made = base + " " + std::to_string(number++);
    while (node_names.find(made) != node_names.end());
    return made;
}

NodeRef Recording::add(Node node) {
    const auto index = static_cast<std::uint32_t>(nodes.size());
    node.body = body();
    node.strand = strand();
    if (node.strand != none) {
        auto& tail = tails[node.strand].nodes;
        node.after = tail;
        tail = {index};
    }
    // The number that the next node of this work tries first.
    const auto space = node.name.rfind(' ');
    const char* const end = node.name.data() + node.name.size();
    std::uint32_t number = 0;
    if (space != std::string::npos) {
        const auto read = std::from_chars(node.name.data() + space + 1, end, number);
        if (read.ec == std::errc() && read.ptr == end && number < none)
            next_number[node.name.substr(0, space)] = number + 1;
    }
    node_names.emplace(node.name, index);
    bodies[node.body].nodes.push_back(index);
    nodes.push_back(std::move(node));
    return {id, index};
}

std::uint32_t Recording::add_body(std::string label, std::uint32_t owner, const SourceLine& at) {
    Body made;
    made.label = std::move(label);
    made.owner = owner;
    made.parent = nodes[owner].body;
    made.depth = bodies[made.parent].depth + 1;
    made.where = at;
    bodies.push_back(std::move(made));
    return static_cast<std::uint32_t>(bodies.size() - 1);
}

std::uint64_t Recording::enter(std::uint32_t in_body, std::uint32_t in_strand, std::string label,
                               const SourceLine& at) {
    open.push_back({next_serial, in_body, in_strand, std::move(label), at});
    return next_serial++;
}

void Recording::leave(std::uint64_t serial) noexcept {
    auto mine = std::find_if(open.begin(), open.end(), [&](const OpenScope& s) { return s.serial == serial; });
    if (mine == open.end()) return;
    if (mine + 1 != open.end() && broken.empty())
        broken = mine->label + " (" + mine->where.text() + ") ended while " + open.back().label + " (" +
                 open.back().where.text() + ") inside it was open; end the inner one first";
    const std::uint32_t ended = mine->strand, in_body = mine->body;
    open.erase(mine, open.end());
    // A branch ends; a body inside one does not.
    if (ended == none || in_body != body()) return;
    auto& of = fork_states[strands[ended].fork];
    const auto& tail = tails[ended].nodes;
    of.after.insert(of.after.end(), tail.begin(), tail.end());
    of.nodes = nodes.size();
    if (of.strand != none) tails[of.strand].nodes = of.after;
}

void Recording::abandon(std::uint64_t serial) noexcept {
    const auto mine = std::find_if(open.begin(), open.end(), [&](const OpenScope& s) { return s.serial == serial; });
    if (mine == open.end()) return;
    if (broken.empty()) broken = left_by_an_exception(mine->label, mine->where);
    leave(serial);
}

PlaneRef Recording::hidden(const std::string& node, std::string_view part, std::uint64_t elements, ElementType type,
                           const SourceLine& at) {
    Plane plane;
    plane.name = node + "." + std::string(part);
    plane.where = at;
    plane.scratch = plane.hidden = true;
    plane.root = none;
    plane.type = type;
    plane.ndim = 1;
    plane.shape[0] = static_cast<std::int64_t>(elements);
    plane.strides[0] = static_cast<std::int64_t>(plane.item_bytes());
    plane.bytes = elements * plane.item_bytes();
    return add(std::move(plane));
}

Scope::Scope(std::shared_ptr<Recording> recording, std::uint64_t serial)
    : recording_(std::move(recording)), serial_(serial), exceptions_(std::uncaught_exceptions()) {}
Scope::Scope(Scope&& other) noexcept = default;
Scope::~Scope() { std::uncaught_exceptions() > exceptions_ ? abandon() : end(); }
void Scope::end() noexcept {
    if (recording_ == nullptr) return;
    recording_->leave(serial_);
    recording_.reset();
}
void Scope::abandon() noexcept {
    if (recording_ == nullptr) return;
    recording_->abandon(serial_);
    recording_.reset();
}

}  // namespace eagle::graph
