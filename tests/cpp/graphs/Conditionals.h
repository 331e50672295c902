// Conditional nodes and their cells, for tests.
#pragma once
#include "Forking.h"

namespace client {

using Cell = std::uint32_t;

inline std::uint64_t at(Cell& cell) { return std::uint64_t(&cell); }

inline struct eagle_backend_conditional_desc desc_of(std::uint64_t origin, std::uint32_t kind, Cell& count) {
    auto desc = make<struct eagle_backend_conditional_desc>();
    desc.origin = origin;
    desc.kind = kind;
    desc.count_ptr = at(count);
    return desc;
}

class Conditional {
  public:
    explicit Conditional(const struct eagle_backend_conditional_desc& desc) {
        EXPECT_EQ(conditional_create(&desc, &handle_), EAGLE_BACKEND_OK) << last_error();
    }
    ~Conditional() { conditional_release(handle_); }
    Conditional(const Conditional&) = delete;
    Conditional& operator=(const Conditional&) = delete;
    eagle_backend_conditional handle() const { return handle_; }
    std::uint64_t begin() const {
        std::uint64_t stream = 0, same = 1;
        EXPECT_EQ(conditional_body_stream(handle_, &same), EAGLE_BACKEND_OK) << last_error();
        EXPECT_EQ(conditional_begin(handle_, &stream), EAGLE_BACKEND_OK) << last_error();
        EXPECT_EQ(stream, same);
        EXPECT_EQ(stream, arm(0));
        return stream;
    }
    void end() const { EXPECT_EQ(conditional_end(handle_), EAGLE_BACKEND_OK) << last_error(); }
    std::uint64_t arm(std::uint64_t i) const {
        std::uint64_t stream = 0;
        EXPECT_EQ(conditional_arm_stream(handle_, i, &stream), EAGLE_BACKEND_OK) << last_error();
        return stream;
    }
    std::vector<std::uint64_t> nodes(std::int64_t arm) const {
        std::uint64_t* nodes = nullptr;
        std::int64_t count = 0;
        EXPECT_EQ(conditional_nodes(handle_, arm, &nodes, &count), EAGLE_BACKEND_OK) << last_error();
        std::vector<std::uint64_t> copy(nodes, nodes + count);
        client::free(nodes);
        return copy;
    }

  private:
    eagle_backend_conditional handle_ = nullptr;
};

// One conditional of a stream whose arm k does plane = 2 plane + k + 1.
struct OneNode {
    Stream stream;
    Plane plane = Plane(1, 0);
    std::vector<std::uint64_t> nodes;
    Launcher launcher;

    void record(const struct eagle_backend_conditional_desc& desc, std::uint64_t arms) {
        Conditional conditional(desc);
        Recording recording(stream.raw());
        conditional.begin();
        for (std::uint64_t k = 0; k < arms; ++k) launch_twice_and(conditional.arm(k), std::int64_t(k) + 1, plane);
        conditional.end();
        nodes = nodes_so_far(stream.raw());
        launcher = launcher_of(as_it_is(recording.end()), stream.raw());
    }
    std::int64_t run() {
        plane[0] = 0;
        replay(launcher);
        return plane[0];
    }
};

// What a loop looks at, and what its turns saw.
struct Cells {
    Cell count = 0, counter[2] = {77, 77}, brk = 9, limit = 0, brk_at = 1000;
    std::vector<std::pair<Cell, Cell>> turns;
};

}  // namespace client
