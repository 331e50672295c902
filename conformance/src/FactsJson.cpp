#include "FactsJson.h"

namespace eagle::conformance {

void to_json(nlohmann::json& to, const Facts& f) {
    nlohmann::json symbols = nlohmann::json::array();
    for (std::size_t i = 0; i < symbol_count; ++i) {
        if (f.present[i]) symbols.push_back(name_of(static_cast<Symbol>(i)));
    }
    to = {{"file", f.file},
          {"version", f.version},
          {"kind", f.kind},
          {"release", f.release},
          {"archs", f.archs},
          {"device_runtime", f.device_runtime},
          {"capabilities", f.capabilities},
          {"device_types", f.device_types},
          {"symbols", symbols},
          {"unusable", f.unusable},
          {"devices", f.devices},
          {"device_name", f.device_name},
          {"device_uuid", f.device_uuid},
          {"device_bus", f.device_bus},
          {"kernels", f.kernels},
          {"kernels_trouble", f.kernels_trouble}};
}

void from_json(const nlohmann::json& from, Facts& f) {
    from.at("file").get_to(f.file);
    from.at("version").get_to(f.version);
    from.at("kind").get_to(f.kind);
    from.at("release").get_to(f.release);
    from.at("archs").get_to(f.archs);
    from.at("device_runtime").get_to(f.device_runtime);
    from.at("capabilities").get_to(f.capabilities);
    from.at("device_types").get_to(f.device_types);
    from.at("unusable").get_to(f.unusable);
    from.at("devices").get_to(f.devices);
    from.at("device_name").get_to(f.device_name);
    from.at("device_uuid").get_to(f.device_uuid);
    from.at("device_bus").get_to(f.device_bus);
    from.at("kernels").get_to(f.kernels);
    from.at("kernels_trouble").get_to(f.kernels_trouble);
    for (const std::string name : from.at("symbols")) {
        for (std::size_t i = 0; i < symbol_count; ++i) {
            if (name == name_of(static_cast<Symbol>(i))) f.present[i] = true;
        }
    }
}

}  // namespace eagle::conformance
