// Stream codes of DLPack by device type, and order between two of them.
#include <eagle/Backend.h>
#include <eagle/Error.h>
#include <eagle/Interop.h>

#include <algorithm>
#include <array>

#include "backend/Entry.h"
#include "backend/Loaded.h"

namespace eagle {
namespace {

constexpr std::int32_t host_type = 1;
constexpr std::int64_t unordered = -1;
constexpr std::int64_t first_raw = 3;

// What the codes 0, 1 and 2 say on a family of device types, and how its default is spelled.
struct Codes {
    std::array<bool, first_raw> known;
    StreamCode spelled_default;
    const char* text;  // of the codes that it has
};
constexpr Codes cuda{
    {false, true, true}, 1, "none or 1 (legacy default), 2 (per-thread default), -1 (unordered) or a raw stream"};
constexpr Codes rocm{{true, false, false}, 0, "none or 0 (default), -1 (unordered) or a raw stream"};
constexpr Codes other{{false, false, false}, std::nullopt, "none (default), -1 (unordered) or a raw stream above 2"};

struct Row {
    std::int32_t device_type;
    const Codes* codes;  // null: the type takes no stream
};
constexpr std::array table{
    Row{host_type, nullptr}, Row{2, &cuda}, Row{3, &cuda}, Row{13, &cuda}, Row{10, &rocm}, Row{11, &rocm},
};

const Codes* codes_of(std::int32_t device_type) {
    const auto* row =
        std::find_if(table.begin(), table.end(), [&](const Row& r) { return r.device_type == device_type; });
    return row == table.end() ? &other : row->codes;
}

bool knows(const Codes& codes, std::int64_t code) {
    if (code >= 0 && code < first_raw) return codes.known[static_cast<std::size_t>(code)];
    return code >= unordered;
}

struct KindRow {
    std::int32_t type;
    std::string_view kind;
};
constexpr std::array kind_rows{
#define EAGLE_DEVICE_KIND(type, kind) KindRow{type, #kind},
#include <eagle/seam/device_kinds.def>
};

std::int64_t seam_code(StreamCode code) { return code ? *code : EAGLE_BACKEND_STREAM_NONE; }

}  // namespace

std::int32_t device_type_of_kind(std::string_view kind) {
    for (const KindRow& row : kind_rows)
        if (row.kind == kind) return row.type;
    for (const Backend& backend : loaded_backends())
        if (backend.kind() == kind && !backend.device_types().empty()) return backend.device_types().front();
    throw InvalidArgument("the device is '" + std::string(kind) +
                          "', a kind whose DLPack device type is not known; load its backend first, or give the type "
                          "as a number");
}

StreamCode checked_stream(std::int32_t device_type, StreamCode code, std::string_view what) {
    const Codes* codes = codes_of(device_type);
    if (codes == nullptr) {
        if (!code) return code;
        throw InteropError(std::string(what) + " is " + std::to_string(*code) + "; memory of DLPack device type " +
                           std::to_string(device_type) + " is on the host and takes no stream: pass None");
    }
    if (!code) return codes->spelled_default;
    if (knows(*codes, *code)) return code;
    throw InteropError(std::string(what) + " is " + std::to_string(*code) + "; on DLPack device type " +
                       std::to_string(device_type) + " it must be " + codes->text);
}

bool needs_order(std::int32_t device_type, StreamCode producer, StreamCode consumer) {
    const StreamCode from = checked_stream(device_type, producer, "the producer's stream");
    const StreamCode to = checked_stream(device_type, consumer, "stream");
    return codes_of(device_type) != nullptr && from != to && from != unordered && to != unordered;
}

void order_streams(std::int32_t device_type, std::int32_t device_id, StreamCode producer, StreamCode consumer) {
    if (!needs_order(device_type, producer, consumer)) return;
    const Backend backend = detail::backend_of_device_type(device_type);
    backend.require(Group::interop);
    backend.check(backend.table().fence(device_type, device_id,
                                        seam_code(checked_stream(device_type, producer, "the producer's stream")),
                                        seam_code(checked_stream(device_type, consumer, "stream"))),
                  "fence");
}

}  // namespace eagle
