// Modules by the content of their file, so that one kernel is loaded once however many artifacts carry it.
#pragma once
#include <eagle/Module.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace eagle::artifact {

// Two hashes of different make and the length: as good as the content for files that nobody forges against himself.
using Content = std::array<std::uint64_t, 3>;

// The module of `file` for `device`, checked against `tag` (LayoutCheck.h) when it is loaded, and what the file holds.
// Two files of equal bytes share one module of a device for as long as somebody holds it; those of a kind that takes
// host files are the same on all devices. Any thread may call it.
std::shared_ptr<const Module> load_module(const Backend& backend, const std::filesystem::path& file,
                                          const std::string& tag, std::int32_t device, Content& content);

}  // namespace eagle::artifact
