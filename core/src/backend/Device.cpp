#include <eagle/Device.h>
#include <eagle/marshal/NameText.h>

#include <charconv>

#include "backend/Entry.h"
#include "backend/KindName.h"

namespace eagle {
namespace {

[[noreturn]] void refuse(std::string_view name) {
    throw InvalidArgument("device is '" + marshal::shortened(name) +
                          "'; it must be a kind and a number, such as 'cuda:0' or 'cpu'");
}

std::int32_t number_of(std::string_view name, std::string_view digits) {
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc() || end != digits.data() + digits.size() || number < 0) refuse(name);
    return number;
}

// `device` where it is there; `name` is what the caller called it.
Device usable(Device device, std::string_view name) {
    const int count = device.backend.device_count();
    if (device.number >= 0 && device.number < count) return device;
    if (count == 0)
        throw BackendUnavailable("device is '" + marshal::shortened(name) + "', and kind '" + device.backend.kind() +
                                 "' has no usable device here: " + device.backend.probe().message);
    throw InvalidArgument("device is '" + marshal::shortened(name) + "'; kind '" + device.backend.kind() + "' has " +
                          std::to_string(count) + (count == 1 ? " device" : " devices") + " here, numbered from 0");
}

}  // namespace

Device Device::named(std::string_view name) {
    const std::size_t colon = name.find(':');
    const std::string_view kind = name.substr(0, colon);
    if (!detail::is_kind_name(kind)) refuse(name);
    const std::int32_t number = colon == std::string_view::npos ? 0 : number_of(name, name.substr(colon + 1));
    return usable({Backend::load(named_kind(kind)), number}, name);
}

Device Device::of(std::string_view kind, std::int32_t number) {
    detail::require_kind_name(kind);
    return usable({Backend::load(named_kind(kind)), number}, std::string(kind) + ":" + std::to_string(number));
}

std::string Device::name() const { return backend.kind() + ":" + std::to_string(number); }

std::string device_name(std::int32_t device_type, std::int32_t device) {
    try {
        return kind_of_device_type(device_type) + ":" + std::to_string(device);
    } catch (const BackendUnavailable&) {
        return "DLPack device type " + std::to_string(device_type) + ", number " + std::to_string(device);
    }
}

std::int32_t device_of_memory(const Backend& backend, std::uint64_t address) {
    const auto ask = backend.table().pointer_residency;
    const int devices = ask == nullptr ? 0 : backend.device_count();
    if (devices < 2 || address == 0) return 0;  // memory of no bytes has no address
    for (std::int32_t device = 0; device < devices; ++device) {
        std::int32_t found = 0;
        backend.check(ask(device, address, &found), "pointer_residency");
        if (found != EAGLE_BACKEND_RESIDENCY_OTHER_DEVICE) return found == EAGLE_BACKEND_RESIDENCY_DEVICE ? device : 0;
    }
    return 0;
}

}  // namespace eagle
