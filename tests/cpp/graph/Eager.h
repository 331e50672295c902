// A description without a graph: its nodes put one after the other on a stream of a device, nothing captured. What
// control flow reads is fetched to the host, which decides.
#pragma once
#include <eagle/Array.h>
#include <eagle/Module.h>
#include <eagle/Stream.h>

#include <memory>
#include <vector>

#include "Walk.h"

namespace graphtest {

class Eager : public Walker {
  public:
    // `builtin`: eagle's own kernels, by which it reduces and fills. Scratch has memory of its own, a plane each.
    Eager(const eagle::GraphDescription& description, const eagle::Module& builtin);
    // Returns when all is done.
    void run();

  private:
    Eager(const eagle::GraphDescription& description, const eagle::Module& builtin,
          std::shared_ptr<eagle::Stream> stream);
    void work(const eagle::graph::Node& node) override;
    std::uint32_t read(eagle::graph::CellRef cell) override;
    void write(eagle::graph::PlaneRef plane, std::span<const std::uint32_t> words) override;

    void copy(const eagle::graph::Copy& work);
    void fill(const eagle::graph::Fill& work);
    void function(const eagle::graph::Function& work);
    void reduce(const eagle::graph::Reduce& work);
    void compact(const eagle::graph::Compact& work);

    std::uint64_t at(eagle::graph::PlaneRef plane) const;
    bool on_host(eagle::graph::PlaneRef plane) const;
    void launch(std::uint64_t function, std::int64_t count, const std::vector<const void*>& params,
                const std::vector<std::uint64_t>& sizes);

    const eagle::Module& builtin_;
    std::shared_ptr<eagle::Stream> stream_;
    std::vector<eagle::Array> scratch_;  // by plane; of the planes that own their bytes
    std::vector<eagle::Array> rooms_;    // of compactions, until the run is done
};

}  // namespace graphtest
