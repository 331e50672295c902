#include "artifact/HostCpu.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace eagle::artifact {
namespace {

// The system's list already leaves out what the operating system does not save across threads, which the processor's
// own answer does not.
std::set<std::string> read_features() {
    std::set<std::string> out;
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("flags")) continue;
        std::istringstream words(line.substr(line.find(':') + 1));
        for (std::string word; words >> word;) out.insert(word);
        break;
    }
    return out;
}

std::string system_name(std::string name) {
    std::replace(name.begin(), name.end(), '.', '_');
    if (name == "sse3") return "pni";
    if (name == "lzcnt") return "abm";
    if (name == "sha") return "sha_ni";
    if (name.starts_with("avx512") && name.size() > 7) {
        // avx512vbmi2 and its like are written avx512_vbmi2 there; the first generation is not.
        for (const char* late : {"vbmi2", "vnni", "bitalg", "vpopcntdq", "bf16", "fp16"})
            if (name == std::string("avx512") + late) return std::string("avx512_") + late;
    }
    return name;
}

}  // namespace

std::vector<std::string> missing_features(const std::vector<std::string>& needed, const std::set<std::string>& have) {
    std::vector<std::string> out;
    for (const std::string& name : needed)
        if (!have.contains(name) && !have.contains(system_name(name))) out.push_back(name);
    return out;
}

std::vector<std::string> missing_features(const std::vector<std::string>& needed) {
    static const std::set<std::string> have = read_features();
    return missing_features(needed, have);
}

}  // namespace eagle::artifact
