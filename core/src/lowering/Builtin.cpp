#include "lowering/Builtin.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace eagle::lowering {
namespace {

namespace fs = std::filesystem;

// Files of the folder whose names begin so, in the order of their names.
void add_files(const fs::path& folder, const std::string& beginning, std::vector<fs::path>& files) {
    std::vector<fs::path> found;
    std::error_code unreadable;
    for (fs::directory_iterator at(folder, unreadable), end; !unreadable && at != end; at.increment(unreadable)) {
        std::error_code unknown;
        if (at->path().filename().string().rfind(beginning, 0) == 0 && at->is_regular_file(unknown))
            found.push_back(at->path());
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
}

// In the same folder as libeagle, as a wheel has it; in `eagle` below, as a plain install has it; beside the backend,
// where its kind is a distribution of its own. A kind may have a file for each of its devices.
std::vector<fs::path> files_for(const Backend& backend) {
    std::vector<std::string> beginnings = {"eagle_builtin_" + backend.kind() + "."};
    if (backend.takes_host_files()) beginnings.emplace_back("eagle_builtin_host.so");
    std::vector<fs::path> folders = {library_path(), library_path() / "eagle"};
    const fs::path own = backend.path().parent_path();
    if (std::find(folders.begin(), folders.end(), own) == folders.end()) folders.push_back(own);
    std::vector<fs::path> files;
    for (const std::string& beginning : beginnings)
        for (const fs::path& folder : folders) add_files(folder, beginning, files);
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
                             backend_.kind() + " beside libeagle (" + library_path().string() + ") or the backend (" +
                             backend_.path().parent_path().string() + ") that it loads" + refusals +
                             "; launch a kernel of your own instead");
}

std::uint64_t Builtin::function(const char* entry) {
    const auto known = functions_.find(entry);
    if (known != functions_.end()) return known->second;
    if (!module_) module_.emplace(load());
    return functions_.emplace(entry, module_->function(entry)).first->second;
}

}  // namespace eagle::lowering
