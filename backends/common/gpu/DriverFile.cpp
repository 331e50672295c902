#include "DriverFile.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

namespace eagle::gpu {

DriverFile open_driver_file(const std::string& file) {
    DriverFile opened;
    std::error_code unknown;
    const auto status = std::filesystem::status(file, unknown);
    const bool is_path = file.find('/') != std::string::npos;
    if (is_path && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        opened.error = file + " is no file of a library but a " +
                       (std::filesystem::is_directory(status) ? "folder" : "pipe, a socket or a device");
        return opened;
    }
    opened.handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened.handle) return opened;
    const char* text = dlerror();
    opened.error = text ? text : "cannot open " + file;
    return opened;
}

const char* named_by(const char* variable) {
    const char* text = std::getenv(variable);
    return text && *text ? text : nullptr;
}

std::string or_unset(const char* variable) {
    return named_by(variable) ? std::string("; or unset ") + variable + ", which names this file" : "";
}

}  // namespace eagle::gpu
