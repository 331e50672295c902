// The documents that every reader judges alike: the same file is read by the Python tests.
#include <eagle/Artifact.h>
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "Handmade.h"

namespace {

template <class Document>
void judge(const std::string& file) {
    std::ifstream in(std::string(EAGLE_CORPUS_DIR) + "/" + file);
    const nlohmann::json cases = nlohmann::json::parse(in);
    EXPECT_GT(cases.size(), 40u);
    for (const auto& one : cases) {
        const std::string name = one["name"], text = one["text"];
        const std::string said = handmade::refusal<eagle::InvalidArgument>([&] { Document::parse(text, "doc.json"); });
        EXPECT_EQ(said.empty(), one["accepted"].get<bool>()) << name << ": " << said;
        for (const std::string word : one["words"])
            EXPECT_NE(said.find(word), std::string::npos) << name << " has to say " << word << ", and says " << said;
    }
}

TEST(Corpus, Manifests) { judge<eagle::Manifest>("manifests.json"); }
TEST(Corpus, Sidecars) { judge<eagle::Sidecar>("sidecars.json"); }

}  // namespace
