#include "ReadFacts.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace eagle::conformance {
namespace {

void require_ok(const Seam& seam, const char* call, eagle_backend_status status) {
    if (status == EAGLE_BACKEND_OK) return;
    throw std::runtime_error(std::string("eagle_backend_") + call + " gave status " + std::to_string(status) + ": " +
                             seam.last_error() + "; it must succeed when the file is opened (EBP-16)");
}

template <std::size_t n>
std::string text_of(const char (&characters)[n]) {
    return std::string(characters, std::find(characters, characters + n, '\0'));
}

void read_build_info(const Seam& seam, Facts& facts) {
    struct eagle_backend_build_info info{};
    info.struct_size = sizeof info;
    require_ok(seam, "build_info", seam.build_info(&info));
    facts.kind = text_of(info.backend_kind);
    facts.release = text_of(info.eagle_version);
    facts.archs = text_of(info.archs);
    facts.device_runtime = info.cudart_version;
}

void read_device_types(const Seam& seam, Facts& facts) {
    constexpr std::int32_t most = 64;
    std::int32_t count = 0;
    require_ok(seam, "device_types", seam.device_types(nullptr, 0, &count));
    if (count < 0 || count > most) {
        throw std::runtime_error("eagle_backend_device_types tells of " + std::to_string(count) +
                                 " types; 0 to 64 are possible (EBP-16)");
    }
    facts.device_types.resize(static_cast<std::size_t>(count));
    require_ok(seam, "device_types", seam.device_types(facts.device_types.data(), count, &count));
}

std::string hex(const std::uint8_t (&bytes)[16]) {
    std::string text;
    for (const std::uint8_t byte : bytes) {
        char two[3];
        std::snprintf(two, sizeof two, "%02x", byte);
        text += two;
    }
    return text;
}

void read_device(const Seam& seam, std::int32_t device, Facts& facts) {
    if (facts.provides(Symbol::device_props)) {
        struct eagle_backend_device_props props{};
        props.struct_size = sizeof props;
        if (seam.device_props(device, &props) == EAGLE_BACKEND_OK) facts.device_name = text_of(props.name);
    }
    if (facts.provides(Symbol::sdk_device_identity)) {
        struct eagle_backend_sdk_device_identity identity{};
        identity.struct_size = sizeof identity;
        if (seam.sdk_device_identity(device, &identity) == EAGLE_BACKEND_OK) {
            facts.device_uuid = hex(identity.uuid);
            facts.device_bus = text_of(identity.pci_bus_id);
        }
    }
}

void read_devices(const Seam& seam, std::int32_t device, Facts& facts) {
    if (seam.probe() != EAGLE_BACKEND_OK) {
        facts.unusable = seam.last_error();
        if (facts.unusable.empty()) facts.unusable = "probe gave no reason";
        return;
    }
    facts.devices = 1;
    if (facts.provides(Symbol::sdk_device_count)) {
        require_ok(seam, "sdk_device_count", seam.sdk_device_count(&facts.devices));
    }
    if (device >= facts.devices) {
        throw std::runtime_error("there is no device " + std::to_string(device) + "; the backend has " +
                                 std::to_string(facts.devices) + ", counted from 0");
    }
    read_device(seam, device, facts);
}

}  // namespace

Facts read_facts(const Seam& seam, TestKernels& kernels, const std::string& kernels_file, std::int32_t device) {
    Facts facts;
    facts.version = seam.version();
    facts.present = seam.present;
    facts.kernels = kernels_file;
    read_build_info(seam, facts);
    require_ok(seam, "capabilities", seam.capabilities(&facts.capabilities));
    read_device_types(seam, facts);
    read_devices(seam, device, facts);
    if (facts.unusable.empty()) facts.kernels_trouble = kernels.trouble();
    return facts;
}

}  // namespace eagle::conformance
