// What a description means: its nodes one after the other in the order of recording, on host memory, with nothing of
// the library's that orders, plans or lowers. The oracle of everything that runs graphs.
#pragma once
#include <eagle/GraphDescription.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace graphtest {

class Interpreter {
  public:
    // Scratch has memory of its own here, a plane each, full of rubbish at the start of every run.
    explicit Interpreter(const eagle::GraphDescription& description);

    void run();
    // Where element [0, 0, ...] of a plane is.
    std::byte* at(eagle::graph::PlaneRef plane) const { return at(plane.index); }
    std::byte* at(std::uint32_t plane) const;
    // Names of the nodes in the order they ran, conditionals included, once an evaluation.
    const std::vector<std::string>& ran() const { return ran_; }

  private:
    void body(std::uint32_t number);
    void node(const eagle::graph::Node& node);
    void launch(const eagle::graph::Launch& work);
    void function(const eagle::graph::Function& work);
    void reduce(const eagle::graph::Reduce& work);
    void compact(const eagle::graph::Compact& work);
    void child(const eagle::graph::Child& work);
    void loop(const eagle::graph::While& work);
    std::uint32_t& cell(eagle::graph::CellRef cell) const;
    bool holds(const eagle::graph::Guard& guard) const;

    const eagle::GraphDescription& description_;
    std::vector<std::unique_ptr<std::byte[]>> scratch_;  // by plane
    std::vector<std::string> ran_;
};

// Addresses of the elements of a plane in row-major order.
std::vector<std::byte*> elements(const eagle::graph::Plane& plane, std::byte* first);

}  // namespace graphtest
