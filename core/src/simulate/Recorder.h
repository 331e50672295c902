// Copies of planes, taken while a batch runs.
#pragma once
#include <eagle/Simulate.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace eagle::sim {

// A dense copy of the array on the host, in its own shape. Throws BufferRefused for an element type that arrays of ours
// do not have, LayoutError for an array of a device that is not dense.
Array snapshot(const ArrayView& view, const std::string& name);

class Recorder {
  public:
    // The array of a plane. Throws ArgumentError for a name that is no plane.
    using PlaneOf = std::function<const ArrayView&(const std::string& name)>;
    Recorder(PlaneOf plane_of, const std::vector<std::string>& names);
    void record();
    std::vector<std::pair<std::string, std::vector<Array>>> take() { return std::move(recorded_); }

  private:
    PlaneOf plane_of_;
    std::vector<std::pair<std::string, std::vector<Array>>> recorded_;
};

}  // namespace eagle::sim
