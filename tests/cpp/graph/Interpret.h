// What a description means: its nodes one after the other in the order of recording, on host memory, with nothing of
// the library's that orders, plans or lowers. The oracle of everything that runs graphs.
#pragma once
#include <eagle/GraphAnalysis.h>
#include <eagle/GraphDescription.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "Walk.h"

namespace graphtest {

class Interpreter : public Walker {
  public:
    // Scratch has memory of its own here, a plane each, full of rubbish at the start of every run.
    explicit Interpreter(const eagle::GraphDescription& description);
    // The nodes of every body in an order from `seed` that the edges allow, another one at every run of a body; scratch
    // where the plan of the arena puts it.
    Interpreter(const eagle::GraphDescription& description, const eagle::GraphAnalysis& analysis,
                const eagle::ArenaPlan& plan, std::uint64_t seed);

    void run();
    // Where element [0, 0, ...] of a plane is.
    std::byte* at(eagle::graph::PlaneRef plane) const { return at(plane.index); }
    std::byte* at(std::uint32_t plane) const;

  private:
    void work(const eagle::graph::Node& node) override;
    std::uint32_t read(eagle::graph::CellRef cell) override;
    void write(eagle::graph::PlaneRef plane, std::span<const std::uint32_t> words) override;
    std::vector<std::uint32_t> order_of(std::uint32_t body) override;
    void launch(const eagle::graph::Launch& work);
    void function(const eagle::graph::Function& work);
    void reduce(const eagle::graph::Reduce& work);
    void compact(const eagle::graph::Compact& work);
    void child(const eagle::graph::Child& work);

    std::vector<std::byte*> scratch_;  // by plane; of the planes that own their bytes
    std::vector<std::unique_ptr<std::byte[]>> memory_;
    std::vector<std::size_t> sizes_;                  // of memory_
    const eagle::GraphAnalysis* analysis_ = nullptr;  // where order is drawn
    std::mt19937_64 random_;
};

// Addresses of the elements of a plane in row-major order.
std::vector<std::byte*> elements(const eagle::graph::Plane& plane, std::byte* first);

}  // namespace graphtest
