// Which devices of several kinds are one card.
#pragma once
#include <eagle/export.h>

#include <string>
#include <vector>

namespace eagle {

// Cards that several devices of the loaded kinds are, a sentence each: "cuda:0 and hip:0 are one card, PCI
// 0000:f1:00.0". Asks the devices, which starts their drivers.
EAGLE_API std::vector<std::string> shared_cards();

}  // namespace eagle
