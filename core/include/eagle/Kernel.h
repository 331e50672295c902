// A kernel ready to launch: names, roles, widths, and entries inside a loaded module.
#pragma once
#include <eagle/Module.h>
#include <eagle/export.h>
#include <eagle/marshal/Signature.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace eagle {

// Immutable and re-entrant: any number of threads may launch one on their own data. Copies share it. One that was moved
// from throws BadHandle.
class EAGLE_API Kernel {
  public:
    const std::string& name() const;
    const Signature& signature() const;
    const Backend& backend() const;
    // The same kernel loaded for another kind, in that device of it: from the folder of its artifact as it is when this
    // is called, or, where that has no file that the kind takes, from one that its builder makes. Throws what
    // Artifact::load and Artifact::kernel throw, and what the builder does.
    Kernel on(const std::string& kind, std::int32_t device = 0) const;
    // Writes an artifact of a kernel with a file for that kind; returns its folder. Called on any thread, by several at
    // once too.
    using Builder = std::function<std::filesystem::path(const std::string& kind)>;
    // The same kernel with that builder.
    Kernel built_by(Builder builder) const;
    const std::string& access() const;     // exec_access; empty for a v1 artifact, which plans whole
    const std::string& operation() const;  // exec_op; empty unless mapreduce
    // What a launch on that device takes; run is 0 when the kernel has none. A kind whose code belongs to a device
    // loads the kernel's file there when it is first asked for. Throws what Artifact::kernel throws, and
    // InvalidArgument when the file has changed since.
    std::uint64_t step_entry(std::int32_t device = 0) const;
    std::uint64_t run_entry(std::int32_t device = 0) const;
    bool finishes() const { return !signature().finish_mask.empty(); }

    struct State;
    explicit Kernel(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  private:
    const State& state() const;
    std::shared_ptr<const State> state_;
};

}  // namespace eagle
