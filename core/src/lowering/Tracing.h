// What a capture adds so that a trace sees its nodes: entries in front of kernels, and marks around the rest.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "lowering/Frame.h"
#include "lowering/KernelCall.h"
#include "trace/Entries.h"

namespace eagle::lowering {

// Whether nodes of the backend can be seen: a kernel is a function of the host.
bool can_trace(const Backend& backend);

// Of one capture.
class Tracing {
  public:
    explicit Tracing(Site& site) : site_(site) {}
    bool is_on() const { return site_.trace != 0; }

    // What is recorded next.
    void at_node(const Frame& frame, std::uint32_t body, const Step& step);
    void at_graph(const Frame& frame);
    // For launch `call` of `calls` of that node; none where it is not a function of the host.
    std::optional<trace::Ticket> ticket(const KernelCall& call, std::size_t index, std::size_t calls);
    std::optional<trace::Ticket> host_ticket();
    // A pair of marks of that node.
    std::uint32_t marked() { return trace::Session::of_process().add(site_.trace, subject_); }
    void put_mark(std::uint32_t subject, trace::EventKind kind, std::uint64_t stream) const;
    bool is_code(std::uint64_t function);

  private:
    std::uint32_t row(const Frame& frame, std::uint32_t body, std::uint32_t branch) const;
    Site& site_;
    trace::Subject subject_;
    std::map<std::uint64_t, bool> known_code_;
};

// The launch with its ticket before its arguments.
void put_traced(const KernelCall& call, const trace::Ticket& ticket, const Backend& backend, std::int32_t device,
                std::uint64_t stream);

}  // namespace eagle::lowering
