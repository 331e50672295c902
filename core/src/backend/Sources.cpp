#include "backend/Sources.h"

#include <eagle/Backend.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <system_error>

#include "backend/KindName.h"

namespace eagle::detail {
namespace {

// In the same folder, as a wheel has it, or in `eagle` below, as a plain install has it.
std::vector<std::filesystem::path> folders_beside() {
    if (library_path().empty()) return {};
    return {library_path(), library_path() / "eagle"};
}

}  // namespace

std::string source::variable(const std::string& kind) { return "$" + backend_variable_name(kind); }

std::optional<std::string> variable_value(const std::string& kind) {
    const char* value = std::getenv(backend_variable_name(kind).c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
}

std::vector<std::filesystem::path> paths_beside(const std::string& kind) {
    std::vector<std::filesystem::path> paths;
    for (const auto& folder : folders_beside()) paths.push_back(folder / backend_file_name(kind));
    return paths;
}

std::vector<std::string> kinds_beside() {
    std::set<std::string> kinds;
    for (const auto& folder : folders_beside()) {
        std::error_code failed;
        for (std::filesystem::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
            const std::string kind = kind_of_file_name(it->path().filename().string());
            std::error_code unknown;
            if (!kind.empty() && it->is_regular_file(unknown)) kinds.insert(kind);
        }
    }
    return {kinds.begin(), kinds.end()};
}

std::vector<std::string> kinds_by_variable() {
    std::set<std::string> kinds;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const std::string kind = kind_of_variable_name(text.substr(0, text.find('=')));
        if (kind.empty()) continue;
        const std::filesystem::path file = variable_value(kind).value_or("");
        std::error_code unknown;
        if (file.is_absolute() && std::filesystem::is_regular_file(file, unknown)) kinds.insert(kind);
    }
    return {kinds.begin(), kinds.end()};
}

}  // namespace eagle::detail
