// What a backend says it serves, beside what arrays make of it.
#pragma once
#include <eagle/Backend.h>
#include <eagle/export.h>

#include <string>

namespace eagle {

// The DLPack device types that a backend serves, each with the kind that its arrays go to: "2 (cuda)". Says so where
// that is another kind; "none" where it serves none.
EAGLE_API std::string device_types_text(const Backend& backend);

}  // namespace eagle
