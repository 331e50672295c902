#include "Modules.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "../host/Check.h"
#include "Capture.h"
#include "Current.h"

namespace eagle::gpu {

Module::Module(int device, const void* image) : device_(device) {
    const Current current(device);
    const Relaxed relaxed;
    raw_ = driver().load(image);
}

Module::~Module() {
    put_off(device_, [raw = raw_] { driver().unload(raw); });
}

RawFunction Module::function(const char* symbol) {
    const Current current(device_);
    const Relaxed relaxed;  // drivers bring a kernel to the device when it is first asked for
    const RawFunction found = driver().function(raw_, symbol);
    if (!found) host::refuse("the module has no kernel '" + std::string(symbol) + "'; name one that it defines");
    Lock lock(engine_lock());
    functions_.insert(found);
    return found;
}

Driver::Global Module::global(const char* symbol) const {
    const Current current(device_);
    const Relaxed relaxed;
    auto found = driver().global(raw_, symbol);
    if (!found) host::refuse("the module has no variable '" + std::string(symbol) + "'; name one that it defines");
    return *found;
}

bool Module::is_held() const {
    Lock lock(engine_lock());
    return std::any_of(functions_.begin(), functions_.end(), &Record::is_function_held);
}

std::string read_image(const char* path) {
    std::error_code unknown;
    const auto status = std::filesystem::status(path, unknown);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        host::refuse("cannot read device code from " + std::string(path) + "; it is no regular file, name one");
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (file && !bytes.empty()) return bytes;
    host::refuse("cannot read device code from " + std::string(path) +
                 (errno ? ": " + std::string(std::strerror(errno)) : "; the file is empty"));
}

}  // namespace eagle::gpu
