// A loaded backend: one shared library of one kind, opened once, behind the seam `eagle-backend/1`.
#pragma once
#include <eagle/Error.h>
#include <eagle/export.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eagle {

class Backend;
// What is loaded so far in this process, in order.
EAGLE_API std::vector<Backend> loaded_backends();

namespace seam {
struct Table;  // typed function pointers of every symbol; null where the backend has none (eagle/src/backend/Table.h)
}

// One try to find or open a backend; kept for the life of the process and shown in full when the backend is not there.
struct LoadAttempt {
    std::string kind;
    std::string path;     // empty when the source named none
    std::string source;   // "argument", "$EAGLE_BACKEND_CPU", "beside libeagle", "registered path", "resolver"
    std::string outcome;  // "loaded", "not there", "refused: ...", "not set"
    std::string system;   // the system's own text, when there was one
    int policy = 0;       // the rule EBP-n of seam/POLICIES.md that the file broke; 0 = none
};

struct BuildInfo {
    std::uint32_t abi_version = 0;
    std::int32_t runtime_version = 0;  // of the device runtime it was built against; 0 = none
    std::string eagle_version, archs, kind;
};

struct Probe {
    bool usable = false;
    std::string message;  // the backend's own words when it is not
};

// Groups of the seam, by capability bit.
enum class Group : std::uint8_t {
    stream = 0,
    capturer = 1,
    captured = 2,
    fork = 3,
    conditional = 4,
    attribution = 5,
    graph = 6,
    launcher = 7,
    exec = 9,
    device = 10,
    interop = 11,
    filtering = 12,
};
EAGLE_API std::string_view group_name(Group group);  // "stream"; empty for a bit that names no group

// A cheap handle to an immutable, process-wide entry; copies share it. Backends are never closed. Every member may be
// called from any thread. In the child of a fork a device kind throws Error naming the fork; the kind cpu works again.
class EAGLE_API Backend {
  public:
    // Finds the backend of `kind` (`[a-z][a-z0-9_]*`) by the loader's sources, in order: $EAGLE_BACKEND_<KIND>, beside
    // libeagle, registered paths, the resolver. Success and failure are remembered a process. Throws BackendUnavailable
    // with every attempt, InvalidArgument for a name that is no kind.
    static Backend load(std::string_view kind);
    // That file only; a relative path is one below the working directory.
    static Backend load(std::string_view kind, const std::filesystem::path& file);
    // load(), with remembered failures of that kind tried again. What is loaded stays as it is.
    static Backend reload(std::string_view kind);
    static Backend reload(std::string_view kind, const std::filesystem::path& file);

    const std::string& kind() const;
    const std::filesystem::path& path() const;
    std::uint32_t version() const;  // (major << 16) | minor
    std::uint64_t capabilities() const;
    const std::vector<std::int32_t>& device_types() const;  // DLPack device types it serves
    // Its kernels are this machine's own code, so that it is given the `host` file of an artifact: it serves host
    // memory, or build_info().archs names the machine's processor ("x86-64").
    bool takes_host_files() const;
    bool host_only() const;  // serves host memory (type 1) and nothing else
    const BuildInfo& build_info() const;
    bool provides(Group group) const;
    // Throws BackendUnavailable("... does not provide <group>").
    void require(Group group) const;
    // Throws BackendUnavailable("... does not provide <symbol>") when a symbol that is bound by itself is absent.
    void require_symbol(const void* function, std::string_view symbol) const;
    Probe probe() const;
    int device_count() const;  // usable devices; for a backend that does not say, 1 when its probe succeeds

    // Raises what `status` means, with the backend's own last_error; returns for OK. `call` names what was called. To
    // be asked at once, on the thread of the call: the next call on it takes the text away.
    void check(std::int32_t status, std::string_view call) const;
    // False in the child of a fork, for a device kind that the parent had loaded.
    bool usable_here() const noexcept;
    // The functions of the seam. In the child of a fork a device kind that the parent had loaded throws BadHandle.
    const seam::Table& table() const;
    // Number of forks that lie between this process and the one that loaded libeagle; what a device kind made under
    // another number is stale.
    static std::uint64_t fork_generation();

    struct Entry;

  private:
    friend EAGLE_API std::vector<Backend> loaded_backends();
    explicit Backend(const Entry* entry) : entry_(entry) {}
    const Entry* entry_;
};

// Kinds whose file is there (beside libeagle, by variable, registered or resolved), sorted. Opens nothing, so a file
// that will be refused counts.
EAGLE_API std::vector<std::string> installed_kinds();
// The environment variable that names the file of a kind, "EAGLE_BACKEND_<KIND>". Throws InvalidArgument for what is no
// name of a kind.
EAGLE_API std::string backend_variable(std::string_view kind);
// Every attempt so far, in order; attempts that are alike in everything stand once.
EAGLE_API std::vector<LoadAttempt> backend_report();
// What `eagle-doctor` prints: the release, the kinds with their devices and versions, every attempt and its reason.
// Opens every kind that is known or installed.
EAGLE_API std::string backend_report_text();
// A file for `kind`, asked after the sources above. Throws InvalidArgument for a relative path.
EAGLE_API void register_backend_path(std::string_view kind, const std::filesystem::path& file);
// Asked last, and only on a miss: the path of the backend of that kind, if the binding knows one. Called without a lock
// of eagle's, on the thread that loads; what it throws is kept as the outcome of its attempt.
EAGLE_API void set_backend_resolver(std::function<std::optional<std::string>(const std::string& kind)> resolver);

// The kind that serves a DLPack device type: the table of device_kinds.def, then what loaded backends say. Throws
// BackendUnavailable naming the type and `backend=` when nobody serves it, or when several loaded kinds do. Opens no
// file.
EAGLE_API std::string kind_of_device_type(std::int32_t device_type);
// The kind of host memory, DLPack type 1.
EAGLE_API const std::string& host_kind();
// The one GPU kind installed: its file loads, and it serves a DLPack device type other than 1, 4, 7 and 12. Two are
// refused by name, none is refused with what was looked for (BackendUnavailable).
EAGLE_API std::string gpu_kind();
// The kind that a caller names: itself, or for "gpu" gpu_kind().
EAGLE_API std::string named_kind(std::string_view kind);

// The folder of libeagle, absolute; found from its own address while it was loaded.
EAGLE_API const std::filesystem::path& library_path();
// The release, such as "0.1.0".
EAGLE_API std::string_view version();

}  // namespace eagle
