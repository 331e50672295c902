// What of a step has to move when its samples do.
#pragma once
#include <eagle/ActiveSet.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "active/Rows.h"
#include "active/StepPart.h"

namespace eagle::active {

using StepParts = std::vector<std::unique_ptr<StepPart>>;

class StepPlanes {
  public:
    // `steps`: what the samples' steps are counted in.
    StepPlanes(const StepParts& parts, const Array& steps);

    // Why the samples may not be moved; empty where they may.
    const std::string& obstacle() const { return obstacle_; }
    // Adds every plane to the set, while the samples are in order. Planes that no kernel writes are copied, and the
    // parts read the copies from here on.
    void add_to(ActiveSet& set, Queue& queue);

  private:
    struct Input {
        StepPart* part;
        std::size_t index;
        ArrayView view;
        std::vector<Row> rows;
    };
    void take(StepPart& part, const StepPart::Plane& plane);
    void settle_inputs();
    void copy(const Input& input, ActiveSet& set, Queue& queue);

    std::vector<Row> written_;
    std::vector<Input> inputs_;
    std::vector<Array> copies_;
    std::string obstacle_;
    std::int64_t n_;
    std::int32_t device_type_, device_id_;
};

}  // namespace eagle::active
