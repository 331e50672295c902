// An artifact on disk: a folder with a manifest, a sidecar a kernel, and a file a target (docs/artifacts.md).
#pragma once
#include <eagle/Backend.h>
#include <eagle/Kernel.h>
#include <eagle/export.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace eagle {

// One plugin record of the manifest: a kernel for one target.
struct PluginRecord {
    std::string id;
    std::int64_t order = 0;
    bool enabled = true;
    std::string artifact, sidecar;  // file names inside the folder
    std::string format;             // "ptx", "cubin", "fatbin", "hsaco", "host"
};

struct EAGLE_API Manifest {
    std::int64_t schema_version = 2;
    std::string pattern, aether_abi;
    std::vector<std::string> exec_targets;  // v2: "device", "host"
    std::string exec_access;  // v2: "sample_local", "cross_sample_read", "cross_sample_write", "mapreduce"; v1: empty
    std::string exec_op;      // with mapreduce: "sum", "times", "max", "land"
    std::vector<PluginRecord> plugins;

    // Key order does not matter, unknown keys are ignored; everything else of the schema is checked. `name` is what
    // errors call the document. Throws InvalidArgument naming the key and showing the value.
    static Manifest parse(std::string_view json, const std::string& name);
};

struct SidecarEntries {
    std::string target, step, run;  // run is empty when the kernel has none
};

struct EAGLE_API Sidecar {
    Signature signature;
    std::int64_t schema_version = 2;
    std::string pattern, aether_abi, exec_access, exec_op, digest;
    std::vector<std::string> host_cpu;  // CPU features that the host file needs
    std::vector<SidecarEntries> entries;

    static Sidecar parse(std::string_view json, const std::string& name);
};

// A folder read and validated whole; no kernel file is opened before a kernel is asked for.
class EAGLE_API Artifact {
  public:
    // Throws InvalidArgument (what is wrong, in which file), Error (a file that cannot be read).
    static Artifact load(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return folder_; }
    const Manifest& manifest() const { return manifest_; }
    std::vector<std::string> kernels() const;  // names, in order of first record; disabled records are left out
    // Loads the kernel's file for `kind` through that kind's backend, comparing tag, layout sizes and CPU features
    // first. `device`: its number among those of the kind.
    Kernel kernel(const std::string& name, const std::string& kind = host_kind(), std::int32_t device = 0) const;
    // Is there an enabled file of that kernel that the kind takes, by its format or by name? Loads the kind's backend.
    bool has_file(const std::string& name, const std::string& kind) const;
    // The only kernel of the folder. Throws InvalidArgument naming them when there are several.
    Kernel kernel() const;

  private:
    std::filesystem::path folder_;
    Manifest manifest_;
    std::vector<Sidecar> sidecars_;  // one a record, in the manifest's order
};

}  // namespace eagle
