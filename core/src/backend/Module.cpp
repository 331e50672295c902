#include <eagle/Module.h>

#include <utility>

#include "Held.h"
#include "backend/Entry.h"
#include "capture/OpenCapture.h"
#include "trace/Span.h"

namespace eagle {

struct Module::State {
    State(Backend b, std::filesystem::path p, std::uint64_t m) : backend(b), path(std::move(p)), module(m) {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        const auto unload = [](const Backend& of, std::uint64_t loaded, std::uint64_t) {
            if (of.table().sdk_module_unload != nullptr) of.table().sdk_module_unload(loaded);
        };
        detail::OpenCapture::free_when_closed(backend, unload, module, 0);
    }

    Backend backend;
    std::filesystem::path path;
    std::uint64_t module;
};

Module Module::load(const Backend& backend, const std::filesystem::path& file, std::int32_t device) {
    const auto& seam = backend.table();
    backend.require_symbol(reinterpret_cast<const void*>(seam.sdk_module_load), "eagle_backend_sdk_module_load");
    // A name without a folder would be searched for by the system; a module is one file.
    const std::filesystem::path path = std::filesystem::absolute(file);
    const trace::Span span([&] {
        return trace::Label{
            "load", "load " + path.filename().string(), {{"file", path.string()}, {"kind", backend.kind()}}};
    });
    eagle_backend_sdk_module_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = device;
    desc.path = path.c_str();
    std::uint64_t loaded = 0;
    backend.check(seam.sdk_module_load(&desc, &loaded), "sdk_module_load of " + path.string());
    return Module(std::make_shared<const State>(backend, path, loaded));
}

std::uint64_t Module::function(const std::string& name) const {
    const auto& seam = backend().table();
    backend().require_symbol(reinterpret_cast<const void*>(seam.sdk_module_function),
                             "eagle_backend_sdk_module_function");
    std::uint64_t function = 0;
    backend().check(seam.sdk_module_function(state_->module, name.c_str(), &function),
                    "sdk_module_function of '" + name + "' in " + path().string());
    return function;
}

std::optional<Module::Global> Module::global(const std::string& name) const {
    const auto& seam = backend().table();
    backend().require_symbol(reinterpret_cast<const void*>(seam.sdk_module_global), "eagle_backend_sdk_module_global");
    Global global;
    const auto status = seam.sdk_module_global(state_->module, name.c_str(), &global.address, &global.bytes);
    // The seam's word for a name that the module does not have.
    if (status == EAGLE_BACKEND_INVALID_ARGUMENT) return std::nullopt;
    backend().check(status, "sdk_module_global of '" + name + "' in " + path().string());
    return global;
}

const Backend& Module::backend() const { return held(state_, "Module").backend; }

const std::filesystem::path& Module::path() const { return held(state_, "Module").path; }

}  // namespace eagle
