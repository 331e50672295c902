// A kernel's code, loaded in every device that it is launched on.
#pragma once
#include <eagle/Module.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "artifact/ModuleMemo.h"

namespace eagle::artifact {

struct KernelFile {
    std::filesystem::path file;
    std::string tag;        // as LayoutCheck.h has it
    std::string step, run;  // names of the entries; run may be empty
    std::int64_t schema_version = 2;
};

struct KernelEntries {
    std::uint64_t step = 0, run = 0;
    std::uint64_t whole = 0;  // of a v1 file: the entry that takes all samples
};

// Shared by the copies of a kernel; any thread may ask it.
class KernelCode {
  public:
    // Loads it for `device` at once. Throws what load_module() and Module::function() throw,
    // BackendUnavailable where the kind has no device, and InvalidArgument where it has not that one.
    KernelCode(const Backend& backend, KernelFile file, std::int32_t device);

    const Backend& backend() const { return backend_; }
    // Where it was loaded for another device before, its file is loaded for this one. A kind that takes host files has
    // one code for all its devices. Throws what the constructor throws, and InvalidArgument when the file is no longer
    // the one that was loaded first.
    const KernelEntries& on(std::int32_t device) const;

  private:
    struct Loaded {
        std::shared_ptr<const Module> module;  // keeps the code loaded
        KernelEntries entries;
    };
    Loaded load(std::int32_t device, Content& content) const;
    const KernelEntries& load_further(std::int32_t device) const;

    Backend backend_;
    KernelFile file_;
    std::int32_t device_;
    Content content_{};
    Loaded first_;
    mutable std::mutex mutex_;
    mutable std::map<std::int32_t, Loaded> further_;  // by device
};

}  // namespace eagle::artifact
