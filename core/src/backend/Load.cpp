#include <eagle/Backend.h>

#include <exception>
#include <utility>

#include "backend/AttemptRecord.h"
#include "backend/Entry.h"
#include "backend/KindName.h"
#include "backend/Registry.h"
#include "backend/Search.h"
#include "backend/Stale.h"

namespace eagle {
namespace detail {
namespace {

// One walk through the sources of a kind.
class Walk {
  public:
    explicit Walk(std::string kind) : kind_(std::move(kind)) {}

    Found run() {
        if (!by_variable() && !beside() && !registered()) resolved();
        return {found_, std::move(attempts_)};
    }

  private:
    // True when the search ends here.
    bool open(const std::filesystem::path& path, const std::string& source) {
        auto outcome = Registry::instance().open(kind_, path, source);
        attempts_.push_back(std::move(outcome.attempt));
        found_ = outcome.entry;
        return found_ != nullptr;
    }
    void note(const std::string& path, const std::string& source, const std::string& outcome) {
        attempts_.push_back({kind_, path, source, outcome, {}, 0});
        Registry::instance().note(attempts_.back());
    }

    // The variable is the user's word: its file or none.
    bool by_variable() {
        const std::string name = source::variable(kind_);
        const auto value = variable_value(kind_);
        if (!value) {
            note({}, name, "not set");
            return false;
        }
        if (std::filesystem::path(*value).is_absolute()) {
            open(*value, name);
        } else {
            note(*value, name, "refused: is a relative path; needs the absolute path of the file");
        }
        return true;
    }
    bool beside() {
        for (const auto& path : paths_beside(kind_)) {
            if (open(path, source::beside)) return true;
        }
        return false;
    }
    bool registered() {
        const auto paths = Registry::instance().registered(kind_);
        if (paths.empty()) note({}, source::registered, "none for this kind");
        for (const auto& path : paths) {
            if (open(path, source::registered)) return true;
        }
        return false;
    }
    void resolved() {
        const auto [path, reason] = ask_resolver(kind_);
        if (!path) {
            note({}, source::resolver, reason);
        } else if (path->is_absolute()) {
            open(*path, source::resolver);
        } else {
            note(path->string(), source::resolver, "refused: is a relative path; needs the absolute path of the file");
        }
    }

    std::string kind_;
    const Backend::Entry* found_ = nullptr;
    std::vector<LoadAttempt> attempts_;
};

const Backend::Entry* usable(const std::string& kind, const Found& found, bool is_named_alone) {
    if (found.entry == nullptr)
        throw BackendUnavailable(
            not_found_text(kind, found.attempts, is_named_alone ? other_kinds_text(kind) : std::string()));
    refuse_stale(*found.entry);
    return found.entry;
}

}  // namespace

Resolved ask_resolver(const std::string& kind) try {
    const Resolver resolver = Registry::instance().resolver();
    if (!resolver) return {std::nullopt, "none is set"};
    if (auto path = resolver(kind)) return {std::move(path), {}};
    return {std::nullopt, "knows none of this kind"};
} catch (const std::exception& error) {
    return {std::nullopt, std::string("failed: ") + error.what()};
}

Found find_backend(const std::string& kind) { return Walk(kind).run(); }

}  // namespace detail

Backend Backend::load(std::string_view kind) {
    detail::require_kind_name(kind);
    const std::string name(kind);
    return Backend(detail::usable(name, detail::find_backend(name), true));
}

Backend Backend::load(std::string_view kind, const std::filesystem::path& file) {
    detail::require_kind_name(kind);
    if (file.empty()) {
        throw InvalidArgument("eagle: the path of the backend '" + std::string(kind) +
                              "' is empty; needs the path of its file");
    }
    const std::string name(kind);
    auto outcome = detail::Registry::instance().open(name, std::filesystem::absolute(file), detail::source::argument);
    return Backend(detail::usable(name, {outcome.entry, {outcome.attempt}}, false));
}

Backend Backend::reload(std::string_view kind) {
    detail::require_kind_name(kind);
    detail::Registry::instance().forget_failures(std::string(kind));
    return load(kind);
}

Backend Backend::reload(std::string_view kind, const std::filesystem::path& file) {
    detail::require_kind_name(kind);
    detail::Registry::instance().forget_failures(std::string(kind));
    return load(kind, file);
}

void register_backend_path(std::string_view kind, const std::filesystem::path& file) {
    detail::require_kind_name(kind);
    if (!file.is_absolute()) {
        throw InvalidArgument("eagle: the path registered for the backend '" + std::string(kind) + "' is '" +
                              file.string() + "'; needs an absolute path");
    }
    detail::Registry::instance().register_path(std::string(kind), file);
}

void set_backend_resolver(std::function<std::optional<std::string>(const std::string&)> resolver) {
    detail::Registry::instance().set_resolver(std::move(resolver));
}

std::vector<LoadAttempt> backend_report() { return detail::Registry::instance().attempts(); }

}  // namespace eagle
