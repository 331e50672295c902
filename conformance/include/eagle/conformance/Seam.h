// A backend's file, opened and bound by name: one typed pointer a symbol, null where the file does not export it.
#pragma once
#include <eagle/seam/eagle_backend.h>

#include <array>
#include <string>

#include "Symbol.h"

namespace eagle::conformance {

// c.seam.fork_mark(handle, 0, &mark) calls eagle_backend_fork_mark of the file. Null pointers may be called by nobody:
// a row names what it needs, and runs only where that is there.
struct Seam {
    // clang-format off
#define EAGLE_SYMBOL(group, name, since, bound) decltype(&eagle_backend_##name) name = nullptr;
#include <eagle/seam/symbols.def>
    // clang-format on

    bool has(Symbol symbol) const { return present[static_cast<std::size_t>(symbol)]; }
    std::array<bool, symbol_count> present{};
};

// Opens the file and leaves it open. Throws std::runtime_error with the path, what was found and what is needed: the
// file does not open, a symbol of core is missing, or the major is not this header's.
Seam open_seam(const std::string& path);

}  // namespace eagle::conformance
