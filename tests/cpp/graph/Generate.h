// Descriptions from seeds: planes that overlap in all ways, all kinds of work, nested control flow, forks, children.
#pragma once
#include <eagle/Array.h>
#include <eagle/GraphDescription.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace graphtest {

struct Shape {
    int nodes = 24;  // about as many in the root body
    int depth = 3;   // of conditional bodies inside each other
    bool forks = true;
    bool hosts = true;  // host functions, in the root body
    bool children = true;
    bool conditionals = true;
    // Host functions take memory of the host alone, which copies fill from the other planes and empty into them, as on
    // a device.
    bool staged = false;
};

// A description with the memory its planes lie in. The same seed and shape give the same program, in memory of its own:
// of the host, or of device 0 of a backend, for which the shape is staged.
class Program {
  public:
    Program(std::uint64_t seed, const Shape& shape, const std::optional<eagle::Backend>& device = {});
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    const eagle::GraphDescription& description() const { return *description_; }
    // Contents of everything that a run may change: the planes' memory, the cells, what host functions noted.
    std::vector<std::uint64_t> contents() const;
    // Memory as it was before the first run.
    void reset();

    // Of the host; of a program on a device, what contents() and reset() copy from and to there.
    struct Memory {
        std::vector<double> reals;  // planes of every shape lie in it
        std::vector<std::uint8_t> masks;
        std::vector<std::int32_t> maps;
        std::vector<std::uint32_t> cells;
        // Of the host everywhere.
        std::vector<double> notes;   // of host functions
        std::vector<double> stages;  // what staged ones read and write
    };
    // Where planes lie: reals, masks, maps, cells.
    using Places = std::array<eagle::ArrayView, 4>;

  private:
    Places on_host() const;
    std::unique_ptr<Memory> memory_;
    std::vector<eagle::Array> there_;  // the same on the device
    std::unique_ptr<eagle::GraphDescription> description_;
    std::uint64_t seed_;
};

}  // namespace graphtest
