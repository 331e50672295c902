#include "TestKernels.h"

#include <fstream>
#include <iterator>
#include <utility>

namespace eagle::conformance {
namespace {

struct eagle_backend_sdk_module_desc empty_desc(std::int32_t device) {
    struct eagle_backend_sdk_module_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = device;
    return desc;
}

}  // namespace

TestKernels::TestKernels(const Seam& seam, std::string path, std::int32_t device)
    : seam_(seam), path_(std::move(path)), device_(device) {}

std::string TestKernels::load() {
    if (!seam_.sdk_module_load || !seam_.sdk_module_function) return "the backend loads no modules";
    if (path_.empty()) return "no file was given; name one with --kernels";
    std::ifstream file(path_, std::ios::binary);
    if (!file) return "cannot read " + path_ + "; name a file with --kernels";
    auto desc = empty_desc(device_);
    desc.path = path_.c_str();
    eagle_backend_status status = seam_.sdk_module_load(&desc, &module_);
    if (status == EAGLE_BACKEND_UNSUPPORTED) {
        const std::string image{std::istreambuf_iterator<char>(file), {}};
        desc = empty_desc(device_);
        desc.image = image.data();
        desc.image_bytes = image.size();
        status = seam_.sdk_module_load(&desc, &module_);
    }
    if (status == EAGLE_BACKEND_OK) return "";
    return "eagle_backend_sdk_module_load of " + path_ + " gave status " + std::to_string(status) + ": " +
           seam_.last_error() + "; name a file in this kind's format with --kernels";
}

std::string TestKernels::trouble() {
    if (!tried_) {  // written here alone, so that several threads may ask once one has
        trouble_ = load();
        tried_ = true;
    }
    return trouble_;
}

std::uint64_t TestKernels::entry(const std::string& name, std::string& why) {
    why = trouble();
    if (!why.empty()) return 0;
    std::uint64_t function = 0;
    if (seam_.sdk_module_function(module_, name.c_str(), &function) != EAGLE_BACKEND_OK) {
        why = seam_.last_error();
        return 0;
    }
    return function;
}

}  // namespace eagle::conformance
