// Artifacts for the tests: kernels written by hand in C, and folders written around them.
#pragma once
#include <eagle/Array.h>
#include <eagle/Artifact.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace handmade {

// A compiled file of tests/cpp/artifact/handmade, by its name without suffix.
std::filesystem::path binary(const std::string& name);
// The folder that examples/c/handmade builds.
std::filesystem::path example();

// Sidecars, by kernel. `run`: with the run entry.
nlohmann::json scale();
nlohmann::json slow();
nlohmann::json counter(bool run = true);
nlohmann::json drift();
nlohmann::json check();
nlohmann::json prefix();
nlohmann::json moments(const std::string& operation);
nlohmann::json neural_block();
// The sidecar as version 1 has it: without the execution axis, its entry has the kernel's name.
nlohmann::json version_one(nlohmann::json sidecar);

// An artifact folder that goes with the object.
class Folder {
  public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    // Adds a kernel: its sidecar, and a copy of the compiled file `binary`.
    Folder& add(const nlohmann::json& sidecar, const std::string& binary);
    // The manifest as version 1 has it.
    Folder& as_version_one();
    Folder& write(const std::string& file, const std::string& text);
    nlohmann::json manifest;  // of what was added; save() writes it
    eagle::Artifact load();   // writes the manifest, then loads the folder

  private:
    std::filesystem::path path_;
};

// A folder of one kernel, loaded; the kernel outlives the folder.
eagle::Kernel kernel(const nlohmann::json& sidecar, const std::string& binary);

template <class T>
eagle::ArrayView view(std::vector<T>& values) {
    return eagle::ArrayView::of(std::span<T>(values));
}

// The text of what `call` throws, which must be an E; "" when it throws nothing.
template <class E, class F>
std::string refusal(F&& call) {
    try {
        call();
    } catch (const E& error) {
        return error.what();
    }
    return "";
}

}  // namespace handmade
