// What this machine's processor can do.
#pragma once
#include <set>
#include <string>
#include <vector>

namespace eagle::artifact {

// Those of `needed` that this processor lacks, in the given order. Names as compilers write them ("avx512f", "sse4.2",
// "lzcnt") or as the system does ("sse4_2", "abm").
std::vector<std::string> missing_features(const std::vector<std::string>& needed);
// The same against a given set of the system's names.
std::vector<std::string> missing_features(const std::vector<std::string>& needed, const std::set<std::string>& have);

}  // namespace eagle::artifact
