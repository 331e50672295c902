// A description of a graph as Python holds it.
#pragma once
#include <Gil.h>
#include <Signals.h>
#include <eagle/BuiltGraph.h>
#include <eagle/GraphDescription.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"

namespace eagle::python {

// A Python function inside a description, called from whatever thread runs it.
class Callable {
  public:
    // Made by a thread of the application's.
    explicit Callable(nanobind::object function) : function_(std::move(function)) {}
    ~Callable();
    Callable(const Callable&) = delete;
    Callable& operator=(const Callable&) = delete;

    // Throws nanobind::python_error for what the function raised.
    template <class... Arguments>
    void call(const Arguments&... arguments) const {
        const SignalsAs signals(signals_);
        const WithGil held;
        if (function_.is_valid()) standing_still_at_the_end([&] { function_(arguments...); });
    }
    nanobind::handle function() const { return function_; }
    void clear() { function_.reset(); }  // needs the GIL

  private:
    nanobind::object function_;
    const sigset_t signals_ = blocked_signals();
};

// Waits for what a graph has on its device, for somebody who goes. The GIL is held; it is given up meanwhile, since a
// host function may be what is waited for. What one raised, and nobody was told, goes to sys.unraisablehook.
void wait_for(BuiltGraph& graph) noexcept;

struct HeldGraph {
    explicit HeldGraph(std::shared_ptr<GraphDescription> of) : description(std::move(of)) {}
    HeldGraph(const HeldGraph&) = delete;
    HeldGraph& operator=(const HeldGraph&) = delete;

    // The array of a plane that was bound anew, where nobody else may use it: no graph of which this is a child, no
    // other graph that was built of it.
    std::optional<HeldArray> give_up(const std::string& plane);
    // Throws InvalidArgument when an array was given up; `use` is what needs it.
    void check_whole(const char* use) const;
    // Until no replay uses an array any more.
    void wait() noexcept;

    std::shared_ptr<GraphDescription> description;
    std::vector<std::shared_ptr<Callable>> callables;
    std::vector<nanobind::object> children;
    std::vector<HeldArray> arrays;
    std::vector<std::weak_ptr<BuiltGraph>> built;
    std::string given_up;
    bool is_child = false;      // of another
    bool calls_python = false;  // it, or a child of it
    // The stream that the library of its arrays put work on when they came; 0: none told.
    std::uint64_t stream = 0;
};

// (file, line), or None.
graph::SourceLine line_of(nanobind::handle where);

// Control flow: the methods of the description, and the types of what they give back.
void bind_flow(nanobind::module_& module, nanobind::class_<HeldGraph>& type);

}  // namespace eagle::python
