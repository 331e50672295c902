// Backends of this process: what is loaded, what was tried, what was registered.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "backend/AttemptRecord.h"
#include "backend/Entry.h"
#include "backend/Sources.h"

namespace eagle::detail {

// One for the process, made at first use and never destroyed. Every member may be called from any thread.
class Registry {
  public:
    static Registry& instance();

    // How one path went as the backend of a kind; entry is null when it is not loaded.
    struct Outcome {
        const Backend::Entry* entry = nullptr;
        LoadAttempt attempt;
    };
    // Opens a file as the backend of a kind. The first outcome of each (kind, path) is remembered and given again.
    Outcome open(const std::string& kind, const std::filesystem::path& path, const std::string& source);
    // Adds an attempt that opened nothing.
    void note(const LoadAttempt& attempt);
    // Remembered failures of a kind are forgotten, so that the next open() tries again.
    void forget_failures(const std::string& kind);

    std::vector<const Backend::Entry*> loaded() const;
    std::vector<LoadAttempt> attempts() const;

    void register_path(const std::string& kind, const std::filesystem::path& path);
    std::vector<std::filesystem::path> registered(const std::string& kind) const;
    std::vector<std::string> registered_kinds() const;
    void set_resolver(Resolver resolver);
    // A copy, to be called without the lock: the resolver of a binding takes its interpreter's lock.
    Resolver resolver() const;

    // Around a fork, so that no child inherits a half-written registry.
    void lock_for_fork() { mutex_.lock(); }
    void unlock_after_fork() { mutex_.unlock(); }

  private:
    mutable std::mutex mutex_;
    std::map<std::pair<std::string, std::filesystem::path>, Outcome> memo_;
    std::vector<const Backend::Entry*> loaded_;
    AttemptRecord record_;
    std::map<std::string, std::vector<std::filesystem::path>> registered_;
    Resolver resolver_;
};

}  // namespace eagle::detail
