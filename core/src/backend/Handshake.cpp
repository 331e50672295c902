#include "backend/Handshake.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <iterator>
#include <sstream>

#include "backend/Fork.h"
#include "backend/Policy.h"
#include "backend/Refused.h"
#include "backend/SharedFile.h"

namespace eagle::detail {
namespace {

constexpr std::int32_t most_device_types = 64;

[[noreturn]] void refuse_exception(const char* symbol, const std::string& what) {
    throw Refused{std::string(symbol) + " let a C++ exception out, " + what +
                      "; needs a status, with the words in eagle_backend_last_error",
                  policy::no_exceptions};
}

// What an entry answers. An exception out of it is a refusal, wherever the system can unwind it.
template <class Call>
auto answer(const char* symbol, const Call& call) {
    try {
        return call();
    } catch (const std::exception& error) {
        refuse_exception(symbol, "which says '" + std::string(error.what()) + "'");
    } catch (...) {
        refuse_exception(symbol, "of a type that is not std::exception");
    }
}

void ask_version(Backend::Entry& entry, const SharedFile& file) {
    auto* const version = reinterpret_cast<decltype(&::eagle_backend_version)>(file.symbol("eagle_backend_version"));
    if (version == nullptr) {
        throw Refused{
            "does not export eagle_backend_version, so it is no eagle backend; needs a library that answers the seam "
            "eagle-backend/1",
            policy::required_symbols};
    }
    entry.version = answer("eagle_backend_version", version);
    const std::uint32_t major = entry.version >> 16;
    if (major == EAGLE_BACKEND_VERSION_MAJOR) return;
    throw Refused{"was built for the seam's major " + std::to_string(major) + ", needs major " +
                  std::to_string(EAGLE_BACKEND_VERSION_MAJOR) + "; build it from the header of this release"};
}

// Calls a required function, which must succeed.
template <class Call>
void ask(const Backend::Entry& entry, const char* symbol, const Call& call) {
    const eagle_backend_status status = answer(symbol, call);
    if (status == EAGLE_BACKEND_OK) return;
    const char* text = answer("eagle_backend_last_error", entry.table.last_error);
    const bool silent = text == nullptr || *text == '\0';
    throw Refused{std::string(symbol) + " answered status " + std::to_string(status) +
                      ", needs 0; it says: " + (silent ? "nothing" : text),
                  policy::true_answers};
}

[[noreturn]] void refuse_device_types(const std::string& found, const std::string& needed) {
    throw Refused{"eagle_backend_device_types " + found + ", needs " + needed, policy::true_answers};
}

void ask_device_types(Backend::Entry& entry) {
    constexpr std::int32_t untouched = INT32_MIN;
    const char* const symbol = "eagle_backend_device_types";
    std::int32_t count = -1;
    ask(entry, symbol, [&] { return entry.table.device_types(nullptr, 0, &count); });
    if (count < 0 || count > most_device_types) {
        refuse_device_types("says that there are " + std::to_string(count),
                            "0 to " + std::to_string(most_device_types));
    }
    // Twice the room it may use: what it writes past its own count is seen instead of lost.
    std::array<std::int32_t, std::size_t{2} * most_device_types> types;
    types.fill(untouched);
    std::int32_t again = -1;
    ask(entry, symbol, [&] { return entry.table.device_types(types.data(), count, &again); });
    if (again != count) {
        refuse_device_types("said " + std::to_string(count) + " and then " + std::to_string(again),
                            "the same number both times");
    }
    const auto end = types.begin() + count;
    const auto written = [](std::int32_t type) { return type != untouched; };
    if (std::any_of(end, types.end(), written)) {
        refuse_device_types("wrote past the room for " + std::to_string(count), "no write past its cap");
    }
    const auto wrong = std::find_if(types.begin(), end, [](std::int32_t type) { return type < 0; });
    if (wrong != end) {
        refuse_device_types(*wrong == untouched ? "left entry " + std::to_string(wrong - types.begin()) + " unwritten"
                                                : "gave the type " + std::to_string(*wrong),
                            "as many DLPack device types as it says");
    }
    entry.device_types.assign(types.begin(), end);
    entry.host_only = std::all_of(types.begin(), end, [](std::int32_t type) { return type == 1; }) && count > 0;
}

// Text of a character array of which only the first `bytes` were written.
std::string text_of(const char* begin, std::size_t capacity, std::size_t bytes) {
    const std::size_t n = std::min(capacity, bytes);
    return {begin, strnlen(begin, n)};
}

void ask_build_info(Backend::Entry& entry, const std::string& kind) {
    using Info = struct eagle_backend_build_info;
    constexpr std::size_t kind_at = offsetof(Info, backend_kind);
    Info info{};
    info.struct_size = sizeof info;
    ask(entry, "eagle_backend_build_info", [&] { return entry.table.build_info(&info); });
    const std::size_t bytes = std::min<std::size_t>(info.struct_size, sizeof info);
    if (bytes <= kind_at) {
        throw Refused{"eagle_backend_build_info wrote " + std::to_string(info.struct_size) +
                          " bytes, which end before backend_kind; needs " + std::to_string(sizeof info) +
                          " bytes, with the kind in them",
                      policy::true_answers};
    }
    entry.build_info = {info.abi_version, info.cudart_version,
                        text_of(info.eagle_version, sizeof info.eagle_version, sizeof info.eagle_version),
                        text_of(info.archs, sizeof info.archs, sizeof info.archs),
                        text_of(info.backend_kind, sizeof info.backend_kind, bytes - kind_at)};
    if (entry.build_info.kind == kind) return;
    throw Refused{"is a backend of kind '" + entry.build_info.kind + "', needs kind '" + kind + "'; name it libeagle_" +
                      entry.build_info.kind + ".so or ask for that kind",
                  policy::true_answers};
}

constexpr std::string_view host_code =
#if defined(__x86_64__)
    "x86-64";
#elif defined(__aarch64__)
    "aarch64";
#else
    "host";
#endif

bool takes_host_files(const Backend::Entry& entry) {
    if (std::find(entry.device_types.begin(), entry.device_types.end(), 1) != entry.device_types.end()) return true;
    std::istringstream words(entry.build_info.archs);
    return std::find(std::istream_iterator<std::string>(words), {}, host_code) != std::istream_iterator<std::string>();
}

bool is_set(std::uint64_t capabilities, std::string_view group) {
    constexpr std::array groups{Group::stream,      Group::capturer,    Group::captured, Group::fork,
                                Group::conditional, Group::attribution, Group::graph,    Group::launcher,
                                Group::exec,        Group::device,      Group::interop,  Group::filtering};
    return std::any_of(groups.begin(), groups.end(), [&](Group g) {
        return group_name(g) == group && (capabilities >> static_cast<unsigned>(g) & 1) != 0;
    });
}

void hold_to_promises(const Backend::Entry& entry) {
    for (const auto& row : seam::rows_of(entry.table)) {
        if (!row.promised() || row.address != nullptr || !is_set(entry.capabilities, row.group)) continue;
        throw Refused{"promises the group " + std::string(row.group) + " by its capability bit, but does not export " +
                          std::string(row.symbol) + "; needs every symbol of a promised group, or the bit clear",
                      policy::promised_symbols};
    }
}

}  // namespace

std::unique_ptr<Backend::Entry> shake_hands(const std::string& kind, const std::filesystem::path& file) {
    const SharedFile opened(file);
    auto entry = std::make_unique<Backend::Entry>();
    entry->kind = kind;
    entry->path = file;
    entry->generation = fork_generation();
    ask_version(*entry, opened);
    bind_required(entry->table, opened);
    ask(*entry, "eagle_backend_capabilities", [&] { return entry->table.capabilities(&entry->capabilities); });
    ask_device_types(*entry);
    ask_build_info(*entry, kind);
    entry->takes_host_files = takes_host_files(*entry);
    bind_optional(entry->table, opened);
    hold_to_promises(*entry);
    return entry;
}

}  // namespace eagle::detail
