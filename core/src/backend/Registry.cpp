#include "backend/Registry.h"

#include <algorithm>
#include <memory>
#include <system_error>

#include "backend/Handshake.h"
#include "backend/Refused.h"
#include "trace/Span.h"

namespace eagle::detail {
namespace {

// `attempt` comes with kind, path and source; gets its outcome.
const Backend::Entry* try_file(const std::filesystem::path& path, LoadAttempt& attempt) {
    std::error_code failed;
    const auto status = std::filesystem::status(path, failed);
    if (status.type() == std::filesystem::file_type::not_found) {
        attempt.outcome = "not there";
        return nullptr;
    }
    const trace::Span span(
        [&] { return trace::Label{"load", "load backend " + attempt.kind, {{"file", path.string()}}}; });
    try {
        auto entry = shake_hands(attempt.kind, path);
        attempt.outcome = "loaded";
        return entry.release();
    } catch (const Refused& refused) {
        attempt.outcome = std::string("refused: ") + refused.what();
        attempt.system = refused.system();
        attempt.policy = refused.policy();
        return nullptr;
    }
}

}  // namespace

Registry& Registry::instance() {
    static auto* registry = new Registry;
    return *registry;
}

Registry::Outcome Registry::open(const std::string& kind, const std::filesystem::path& path,
                                 const std::string& source) {
    const std::lock_guard lock(mutex_);
    const auto key = std::pair(kind, path);
    const auto known = memo_.find(key);
    Outcome outcome;
    if (known != memo_.end()) {
        outcome = known->second;
        outcome.attempt.source = source;
    } else {
        outcome.attempt = LoadAttempt{kind, path.string(), source, {}, {}, 0};
        outcome.entry = try_file(path, outcome.attempt);
        memo_.emplace(key, outcome);
        if (outcome.entry != nullptr) loaded_.push_back(outcome.entry);
    }
    record_.add(outcome.attempt);
    return outcome;
}

void Registry::note(const LoadAttempt& attempt) {
    const std::lock_guard lock(mutex_);
    record_.add(attempt);
}

void Registry::forget_failures(const std::string& kind) {
    const std::lock_guard lock(mutex_);
    std::erase_if(memo_, [&](const auto& item) { return item.first.first == kind && item.second.entry == nullptr; });
}

std::vector<const Backend::Entry*> Registry::loaded() const {
    const std::lock_guard lock(mutex_);
    return loaded_;
}

std::vector<LoadAttempt> Registry::attempts() const {
    const std::lock_guard lock(mutex_);
    return record_.all();
}

void Registry::register_path(const std::string& kind, const std::filesystem::path& path) {
    const std::lock_guard lock(mutex_);
    auto& paths = registered_[kind];
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
}

std::vector<std::filesystem::path> Registry::registered(const std::string& kind) const {
    const std::lock_guard lock(mutex_);
    const auto found = registered_.find(kind);
    return found == registered_.end() ? std::vector<std::filesystem::path>() : found->second;
}

std::vector<std::string> Registry::registered_kinds() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> kinds;
    kinds.reserve(registered_.size());
    for (const auto& [kind, paths] : registered_) kinds.push_back(kind);
    return kinds;
}

void Registry::set_resolver(Resolver resolver) {
    const std::lock_guard lock(mutex_);
    std::swap(resolver_, resolver);
}

Resolver Registry::resolver() const {
    const std::lock_guard lock(mutex_);
    return resolver_;
}

}  // namespace eagle::detail
