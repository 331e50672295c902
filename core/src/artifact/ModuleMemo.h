// Modules by the content of their file, so that one kernel is loaded once however many artifacts carry it.
#pragma once
#include <eagle/Module.h>

#include <filesystem>
#include <memory>
#include <string>

namespace eagle::artifact {

// The module of `file`, checked against `tag` (LayoutCheck.h) when it is loaded. Two files of equal bytes share one
// module for as long as somebody holds it. Any thread may call it.
std::shared_ptr<const Module> load_module(const Backend& backend, const std::filesystem::path& file,
                                          const std::string& tag);

}  // namespace eagle::artifact
