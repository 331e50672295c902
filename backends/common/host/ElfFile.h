// What must hold of a shared object before the dynamic loader may see it.
#pragma once
#include <cstdint>
#include <string>

namespace eagle::host {

// The dynamic loader maps what the headers promise and dies of a bus error where the file ends early. Throws Failure
// (INVALID_ARGUMENT) for such a file; one that is no shared object at all is left to the loader, which says what it is.
void refuse_truncated(const std::string& path, std::uint64_t bytes);

}  // namespace eagle::host
