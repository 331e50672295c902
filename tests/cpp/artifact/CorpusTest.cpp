// The documents that every reader judges alike: the same files are judged by the Python tests.
#include <eagle/Artifact.h>
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <filesystem>
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

// One artifact, beside a folder with the same files.
TEST(Corpus, Folders) {
    namespace fs = std::filesystem;
    const nlohmann::json cases = nlohmann::json::parse(corpus::text("folders.json"));
    EXPECT_GE(cases.size(), 10u);
    for (const nlohmann::json& one : cases) {
        handmade::Folder root;
        const fs::path made = root.path() / "made";
        for (const char* place : {"made", "outside", "made-not"})
            fs::copy(handmade::example(), root.path() / place, fs::copy_options::recursive);
        fs::copy(made / "scale.so", made / "real.so");
        fs::copy(made / "scale.json", made / "real.json");
        for (const auto& [name, target] : one["links"].items()) {
            fs::remove(made / name);
            fs::create_symlink(target.get<std::string>(), made / name);
        }
        fs::create_symlink("made", root.path() / "through");
        const fs::path folder = root.path() / (one.value("through", false) ? "through" : "made");
        const std::string said =
            handmade::refusal<eagle::InvalidArgument>([&] { eagle::Artifact::load(folder).kernel(); });
        EXPECT_EQ(said.empty(), one["accepted"].get<bool>()) << one["name"] << ": " << said;
        for (const nlohmann::json& word : one["words"])
            EXPECT_NE(said.find(word.get<std::string>()), std::string::npos) << one["name"] << ": " << said;
    }
}

}  // namespace
