// The documents that every reader judges alike: the same files are judged by the Python tests.
#include <eagle/Artifact.h>
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <string>

#include "Corpus.h"
#include "Handmade.h"

namespace {

template <class Document>
void judge(const std::string& file, std::size_t least) {
    const auto cases = corpus::cases(file);
    EXPECT_GE(cases.size(), least);
    for (const corpus::Case& one : cases) {
        const std::string said =
            handmade::refusal<eagle::InvalidArgument>([&] { Document::parse(one.data, "doc.json"); });
        EXPECT_EQ(said.empty(), one.accepted) << one.name << ": " << said;
        EXPECT_LT(said.size(), 2000u) << one.name;
        for (const std::string& word : one.words)
            EXPECT_NE(said.find(word), std::string::npos)
                << one.name << " has to say " << word << ", and says " << said;
    }
}

TEST(Corpus, Manifests) { judge<eagle::Manifest>("manifests.json", 190); }
TEST(Corpus, Sidecars) { judge<eagle::Sidecar>("sidecars.json", 120); }
TEST(Corpus, Texts) { judge<eagle::Manifest>("texts.json", 80); }

}  // namespace
