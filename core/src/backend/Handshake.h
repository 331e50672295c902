// How a file proves that it is the backend of a kind.
#pragma once
#include <filesystem>
#include <memory>
#include <string>

#include "backend/Entry.h"

namespace eagle::detail {

// Opens `file` (absolute) and asks it, in this order: its version alone, the other required symbols, capabilities,
// device types, build info with the kind, every symbol that a set bit promises. Throws Refused at the first answer that
// does not hold; nothing of the file is used then.
std::unique_ptr<Backend::Entry> shake_hands(const std::string& kind, const std::filesystem::path& file);

}  // namespace eagle::detail
