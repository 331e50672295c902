#include "lowering/Builtin.h"

#include <filesystem>
#include <vector>

namespace eagle::lowering {
namespace {

namespace fs = std::filesystem;

// In the same folder, as a wheel has it, or in `eagle` below, as a plain install has it.
std::vector<fs::path> files_for(const Backend& backend) {
    std::vector<fs::path> files;
    std::vector<std::string> names;
    for (const char* ending : {".so", ".fatbin", ".hsaco"}) names.push_back("eagle_builtin_" + backend.kind() + ending);
    if (backend.takes_host_files()) names.emplace_back("eagle_builtin_host.so");
    for (const std::string& name : names)
        for (const fs::path& folder : {library_path(), library_path() / "eagle"}) {
            const fs::path file = folder / name;
            std::error_code unknown;
            if (fs::is_regular_file(file, unknown)) files.push_back(file);
        }
    return files;
}

}  // namespace

Module Builtin::load() const {
    std::string refusals;
    for (const fs::path& file : files_for(backend_)) {
        try {
            return Module::load(backend_, file, device_);
        } catch (const Error& error) {  // the file is of another device
            refusals += std::string("; ") + error.what();
        }
    }
    throw BackendUnavailable("eagle: kind '" + backend_.kind() +
                             "' has no kernels of eagle's own (fills of a pattern, reductions, gathers): no file "
                             "eagle_builtin_" +
                             backend_.kind() + " beside libeagle (" + library_path().string() + ") that it loads" +
                             refusals + "; launch a kernel of your own instead");
}

std::uint64_t Builtin::function(const char* entry) {
    const auto known = functions_.find(entry);
    if (known != functions_.end()) return known->second;
    if (!module_) module_.emplace(load());
    return functions_.emplace(entry, module_->function(entry)).first->second;
}

}  // namespace eagle::lowering
