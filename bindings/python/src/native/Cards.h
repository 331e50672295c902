// Which NVIDIA cards this machine has, asked of NVML: no driver is started, no context made.
#pragma once
#include <string>
#include <vector>

namespace hawk::native {

// Compute capabilities, one a card, as 90 for 9.0; empty where there is no NVML or no card. `library`: its file.
std::vector<int> cuda_cards(const std::string& library);

}  // namespace hawk::native
