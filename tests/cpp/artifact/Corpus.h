// The documents that every reader judges alike (tests/corpus), as bytes.
#pragma once
#include <string>
#include <vector>

namespace corpus {

struct Case {
    std::string name, data;
    bool accepted = false;
    std::vector<std::string> words;  // that a refusal holds
};

// The cases of one file of the corpus. Throws where it cannot be read.
std::vector<Case> cases(const std::string& file);

// A file of the corpus, as it stands.
std::string text(const std::string& file);

}  // namespace corpus
