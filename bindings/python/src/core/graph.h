// A description of a graph as Python holds it.
#pragma once
#include <eagle/GraphDescription.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "arguments.h"

namespace eagle::python {

// A Python function inside a description, called from whatever thread runs it.
class Callable {
  public:
    explicit Callable(nanobind::object function) : function_(std::move(function)) {}
    ~Callable();
    Callable(const Callable&) = delete;
    Callable& operator=(const Callable&) = delete;

    // Throws nanobind::python_error for what the function raised.
    template <class... Arguments>
    void call(const Arguments&... arguments) const {
        const nanobind::gil_scoped_acquire held;
        if (function_.is_valid()) function_(arguments...);
    }
    nanobind::handle function() const { return function_; }
    void clear() { function_.reset(); }  // needs the GIL

  private:
    nanobind::object function_;
};

struct HeldGraph {
    explicit HeldGraph(std::shared_ptr<GraphDescription> of) : description(std::move(of)) {}
    HeldGraph(const HeldGraph&) = delete;
    HeldGraph& operator=(const HeldGraph&) = delete;

    std::shared_ptr<GraphDescription> description;
    std::vector<std::shared_ptr<Callable>> callables;
    std::vector<nanobind::object> children;
    std::vector<HeldArray> arrays;
    bool calls_python = false;  // it, or a child of it
    // The stream that the library of its arrays put work on when they came; 0: none told.
    std::uint64_t stream = 0;
};

// (file, line), or None.
graph::SourceLine line_of(nanobind::handle where);

// Control flow: the methods of the description, and the types of what they give back.
void bind_flow(nanobind::module_& module, nanobind::class_<HeldGraph>& type);

}  // namespace eagle::python
