// Descriptions from seeds: planes that overlap in all ways, all kinds of work, nested control flow, forks, children.
#pragma once
#include <eagle/GraphDescription.h>

#include <cstdint>
#include <memory>
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
};

// A description with the memory its planes lie in. The same seed and shape give the same program, in memory of its own.
class Program {
  public:
    Program(std::uint64_t seed, const Shape& shape);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    const eagle::GraphDescription& description() const { return *description_; }
    // Contents of everything that a run may change: the planes' memory, the cells, what host functions noted.
    std::vector<std::uint64_t> contents() const;
    // Memory as it was before the first run.
    void reset();

    struct Memory {
        std::vector<double> reals;  // planes of every shape lie in it
        std::vector<std::uint8_t> masks;
        std::vector<std::int32_t> maps;
        std::vector<std::uint32_t> cells;
        std::vector<double> notes;  // of host functions
    };
    Memory& memory() { return *memory_; }

  private:
    std::unique_ptr<Memory> memory_;
    std::unique_ptr<eagle::GraphDescription> description_;
    std::uint64_t seed_;
};

}  // namespace graphtest
