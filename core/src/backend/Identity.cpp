#include "backend/Identity.h"

#include <eagle/Cards.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <map>
#include <set>

#include "backend/Table.h"

namespace eagle {
namespace detail {
namespace {

std::string hex(const std::uint8_t (&bytes)[16]) {
    std::string text;
    for (const std::uint8_t byte : bytes) {
        std::array<char, 3> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", byte);
        text += digits.data();
    }
    return text;
}

}  // namespace

Identity identity_of(const Backend& backend, std::int32_t device) {
    const auto& seam = backend.table();
    if (seam.sdk_device_identity == nullptr) return {};
    struct eagle_backend_sdk_device_identity identity{};
    identity.struct_size = sizeof identity;
    backend.check(seam.sdk_device_identity(device, &identity), "sdk_device_identity");
    identity.pci_bus_id[sizeof identity.pci_bus_id - 1] = '\0';
    const std::string uuid = hex(identity.uuid);
    const bool is_unnamed = uuid.find_first_not_of('0') == std::string::npos;
    return {is_unnamed ? "" : uuid, identity.pci_bus_id};
}

}  // namespace detail

namespace {

// Vendors write the letters of a bus otherwise.
std::string bus_of(const Backend& backend, std::int32_t device) {
    std::string pci = detail::identity_of(backend, device).pci;
    std::transform(pci.begin(), pci.end(), pci.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return pci;
}

}  // namespace

std::vector<std::string> shared_cards() {
    std::map<std::string, std::set<std::string>> devices_on;  // a kind that was loaded by two paths is one
    for (const Backend& backend : loaded_backends()) {
        try {
            const int count = backend.probe().usable ? backend.device_count() : 0;
            for (int device = 0; device < count; ++device) {
                const std::string bus = bus_of(backend, device);
                if (!bus.empty()) devices_on[bus].insert(backend.kind() + ":" + std::to_string(device));
            }
        } catch (const Error&) {  // the report says it of that kind
        }
    }
    std::vector<std::string> cards;
    for (const auto& [bus, devices] : devices_on) {
        if (devices.size() < 2) continue;
        std::string names;
        for (const std::string& device : devices) names += (names.empty() ? "" : " and ") + device;
        cards.push_back(names + " are one card, PCI " + bus);
    }
    return cards;
}

}  // namespace eagle
