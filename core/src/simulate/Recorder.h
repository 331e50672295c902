// Copies of planes, taken while a batch runs.
#pragma once
#include <eagle/Simulate.h>

#include <string>
#include <utility>
#include <vector>

#include "simulate/Model.h"

namespace eagle::sim {

// A dense copy of the array, in its own shape. Throws BufferRefused for an element type that arrays of ours do not
// have.
Array snapshot(const ArrayView& view, const std::string& name);

class Recorder {
  public:
    // Throws ArgumentError for a name that is no plane.
    Recorder(const Model& model, const std::vector<std::string>& names);
    void record();
    std::vector<std::pair<std::string, std::vector<Array>>> take() { return std::move(recorded_); }

  private:
    const Model& model_;
    std::vector<std::pair<std::string, std::vector<Array>>> recorded_;
};

}  // namespace eagle::sim
