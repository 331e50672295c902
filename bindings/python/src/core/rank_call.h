// Calls of plans with ranks: what is refused on one rank before eagle hears of it is told to the others.
#pragma once
#include <Exceptions.h>
#include <eagle/RankCalls.h>
#include <nanobind/nanobind.h>

#include <optional>

#include "calls.h"

namespace eagle::python {

// Tells the other ranks of the Python error that is set, and leaves it set. The GIL is held.
void report_error(RankCall& call) noexcept;

// As guarded(). A call that ends with an error before this rank has met the others meets them with that error.
template <class Body>
PyObject* guarded_together(const std::optional<RankPartition>& ranks, const Body& body) noexcept {
    if (!ranks || ranks->size() == 1) return guarded(body);
    return guarded([&] {
        RankCall call(*ranks);
        PyObject* const result = guarded(body);
        if (result == nullptr) report_error(call);
        return result;
    });
}

}  // namespace eagle::python
