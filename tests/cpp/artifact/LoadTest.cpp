// From a folder to a kernel.
#include <eagle/Artifact.h>
#include <eagle/Error.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "Handmade.h"

namespace {

namespace fs = std::filesystem;
using eagle::Artifact;
using handmade::Folder;
using handmade::refusal;
using nlohmann::json;

TEST(Load, TheExampleWrittenByHand) {
    const Artifact artifact = Artifact::load(handmade::example());
    EXPECT_EQ(artifact.kernels(), std::vector<std::string>{"scale"});
    const eagle::Kernel kernel = artifact.kernel();
    EXPECT_EQ(kernel.name(), "scale");
    EXPECT_EQ(kernel.access(), "sample_local");
    EXPECT_EQ(kernel.backend().kind(), "cpu");
    EXPECT_NE(kernel.step_entry(), 0u);
    EXPECT_EQ(kernel.run_entry(), 0u);
    EXPECT_FALSE(kernel.finishes());
}

TEST(Load, SeveralKernelsAreAskedForByName) {
    Folder folder;
    folder.add(handmade::drift(), "pair").add(handmade::check(), "pair");
    const Artifact artifact = folder.load();
    EXPECT_EQ(artifact.kernels(), (std::vector<std::string>{"drift", "check"}));
    EXPECT_TRUE(artifact.kernel("check").finishes());
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] { artifact.kernel(); }).find("has 2 kernels (drift, check), not one"),
              std::string::npos);
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] {
                  artifact.kernel("fold");
              }).find("has no enabled kernel 'fold'; it has drift, check"),
              std::string::npos);
}

TEST(Load, AFolderThatIsNone) {
    const auto text = refusal<eagle::Error>([] { Artifact::load("/no such folder"); });
    EXPECT_EQ(text,
              "cannot read '/no such folder/manifest.json': No such file or directory; an artifact is a folder with "
              "manifest.json in it, such as hawk.build writes");
    Folder folder;
    folder.add(handmade::scale(), "no_exports");
    fs::remove(folder.path() / "scale.json");
    EXPECT_NE(refusal<eagle::Error>([&] { folder.load(); }).find("scale.json': No such file or directory"),
              std::string::npos);
}

TEST(Load, APipeInTheFolderIsNotWaitedFor) {
    for (const char* name : {"manifest.json", "scale.json"}) {
        Folder folder;
        folder.add(handmade::scale(), "no_exports");
        folder.write("manifest.json", folder.manifest.dump());
        const fs::path file = folder.path() / name;
        fs::remove(file);
        ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
        EXPECT_EQ(refusal<eagle::Error>([&] { Artifact::load(folder.path()); }),
                  "cannot read '" + file.string() + "': it is no regular file; put the file itself there");
    }
}

TEST(Load, KernelsOfAFolderShareTheirAccess) {
    Folder folder;
    folder.add(handmade::prefix(), "prefix").add(handmade::drift(), "pair");
    folder.manifest["exec_access"] = "sample_local";
    const auto text = refusal<eagle::InvalidArgument>([&] { folder.load(); });
    EXPECT_NE(text.find("'exec_access' of kernel 'prefix' is 'cross_sample_write', the manifest says 'sample_local'"),
              std::string::npos)
        << text;
}

std::string load_refused(const std::string& binary) {
    Folder folder;
    folder.add(handmade::scale(), binary);
    const Artifact artifact = folder.load();
    return refusal<eagle::InvalidArgument>([&] { artifact.kernel(); });
}

TEST(Load, AnotherInterfaceIsRefusedByField) {
    EXPECT_NE(load_refused("wrong_tag").find("eagle_abi_tag is 'aether-abi/9', the manifest says 'aether-abi/2'"),
              std::string::npos);
    EXPECT_NE(load_refused("wrong_sizes").find("eagle_layout_sizes gives the float view 48 bytes, this eagle has 32"),
              std::string::npos);
    EXPECT_NE(load_refused("short_sizes").find("eagle_layout_sizes has 24 bytes, 40 are needed"), std::string::npos);
    EXPECT_NE(load_refused("no_exports").find("does not export 'eagle_abi_tag'"), std::string::npos);
}

TEST(Load, AMissingEntryIsNamed) {
    json sidecar = handmade::counter();
    sidecar["entries"]["host"]["run"] = "counter_sprint";
    Folder folder;
    const Artifact artifact = folder.add(sidecar, "counter").load();
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] { artifact.kernel(); }).find("counter_sprint"), std::string::npos);
}

TEST(Load, AnEntryThatIsNoFunctionIsNamed) {
    json sidecar = handmade::counter();
    sidecar["entries"]["host"]["step"] = "eagle_layout_sizes";
    Folder folder;
    const Artifact artifact = folder.add(sidecar, "counter").load();
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] { artifact.kernel(); }).find("'eagle_layout_sizes' of '"),
              std::string::npos);
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] { artifact.kernel(); }).find("is a variable, not a function"),
              std::string::npos);
}

TEST(Load, AFileThatIsNoLibrary) {
    Folder folder;
    folder.add(handmade::counter(), "counter").write("counter.so", "not a library");
    const Artifact artifact = folder.load();
    EXPECT_NE(refusal<eagle::Error>([&] { artifact.kernel(); }).find("counter.so"), std::string::npos);
    fs::remove(folder.path() / "counter.so");
    EXPECT_NE(refusal<eagle::Error>([&] { artifact.kernel(); }).find("counter.so': No such file or directory"),
              std::string::npos);
}

TEST(Load, WhatThisProcessorLacksIsNamed) {
    json sidecar = handmade::counter();
    sidecar["host_cpu"] = {"avx9000", "fpu"};
    Folder folder;
    const Artifact artifact = folder.add(sidecar, "counter").load();
    EXPECT_EQ(
        refusal<eagle::Unsupported>([&] { artifact.kernel(); }),
        "kernel 'counter' was built for a CPU with avx9000, fpu; this one lacks avx9000; build it on this machine");
    sidecar["host_cpu"] = {"sse2", "sse4.2", "sse3"};  // as compilers write them; every x86-64 of today has these
    Folder good;
    EXPECT_EQ(good.add(sidecar, "counter").load().kernel().name(), "counter");
}

TEST(Load, NeuralBlocksAreRecognisedAndNeverLaunched) {
    Folder folder;
    folder.add(handmade::neural_block(), "wrong_tag");
    const Artifact artifact = folder.load();
    EXPECT_NE(refusal<eagle::Unsupported>([&] { artifact.kernel("dense"); }).find("recognised but never launched"),
              std::string::npos);
}

TEST(Load, DisabledRecordsAreNeverLoaded) {
    Folder folder;
    folder.add(handmade::counter(), "counter").add(handmade::scale(), "wrong_tag");
    folder.manifest["plugins"][1]["enabled"] = false;
    fs::remove(folder.path() / "scale.json");
    fs::remove(folder.path() / "scale.so");
    const Artifact artifact = folder.load();
    EXPECT_EQ(artifact.kernels(), std::vector<std::string>{"counter"});
    EXPECT_EQ(artifact.kernel().name(), "counter");
}

TEST(Load, AFileOfAnotherFormatIsRefusedWithWhatTheKindTakes) {
    Folder folder;
    folder.add(handmade::counter(), "counter");
    folder.manifest["plugins"][0]["format"] = "cubin";
    const Artifact artifact = folder.load();
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { artifact.kernel(); }),
              "kernel 'counter' has files of format cubin; kind 'cpu' takes host; build the artifact for that target");
}

TEST(Load, EqualFilesShareOneModuleWhoeverAsks) {
    Folder first, second;
    const Artifact one = first.add(handmade::counter(), "counter").load();
    const Artifact two = second.add(handmade::counter(), "counter").load();
    std::vector<std::uint64_t> entries(16);
    std::vector<eagle::Kernel> held(16, one.kernel());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < entries.size(); ++i)
        threads.emplace_back([&, i] {
            held[i] = (i % 2 ? two : one).kernel();
            entries[i] = held[i].step_entry();
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::uint64_t entry : entries) EXPECT_EQ(entry, entries[0]);
}

TEST(Load, AFileReplacedUnderTheSamePathIsReadAnew) {
    Folder folder;
    const eagle::Kernel before = folder.add(handmade::counter(), "counter").load().kernel();
    const fs::path file = folder.path() / "counter.so";
    fs::remove(file);
    fs::copy_file(handmade::binary("pair"), file);
    const Artifact artifact = folder.load();
    // The system's loader would give the old file for the old path; the new one has no such entry.
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] { artifact.kernel(); }).find("counter_step"), std::string::npos);
    EXPECT_NE(before.step_entry(), 0u);
}

}  // namespace
