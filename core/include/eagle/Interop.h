// Arrays of other libraries: what a consumer may ask of one, and in whose order its memory is used.
#pragma once
#include <eagle/export.h>
#include <eagle/marshal/ArrayView.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace eagle {

// What an array's producer says of writing to it. Legacy DLPack says nothing.
enum class Access : std::uint8_t { read_write, read_only, unknown };
EAGLE_API std::string_view access_name(Access access);  // "read-write", "read-only", "unknown"

// What a consumer needs; what is not set is not looked at.
struct Requirements {
    std::optional<ElementType> dtype;
    std::optional<std::int64_t> count;               // elements of all axes together
    std::optional<std::vector<std::int64_t>> shape;  // elements along each axis
    bool contiguous = false;                         // dense and row-major
    std::int64_t alignment = 0;                      // bytes that divide the address; 0 and 1 ask for nothing
    std::optional<std::int32_t> device_type;         // of DLPack
    std::optional<std::int32_t> device_id;
    bool writable = false;  // Access::read_write; `unknown` is not enough
};

// The element type of that name, as element_type_name() writes it in the machine's byte order; empty for others.
EAGLE_API std::optional<ElementType> element_type_from_name(std::string_view name);

// Is it dense and row-major? Axes of one element, and arrays of none, have any stride.
EAGLE_API bool is_contiguous(const ArrayView& view);
// One clause a requirement that the array does not meet, in the order of Requirements; empty when it meets all.
EAGLE_API std::vector<std::string> unmet(const ArrayView& view, Access access, const Requirements& needed);
// Throws BufferRefused with every clause of unmet(); `what` names the array, such as "argument 'x'". Throws
// InvalidArgument for a negative alignment.
EAGLE_API void require(const ArrayView& view, Access access, const Requirements& needed, std::string_view what);

// A DLPack device type by the kind that serves it: device_kinds.def, then what loaded backends say. Throws
// InvalidArgument for a kind that serves none.
EAGLE_API std::int32_t device_type_of_kind(std::string_view kind);

// A stream as `__dlpack__(stream=)` gives it; none when no stream was given.
using StreamCode = std::optional<std::int64_t>;

// What a stream code says on a device type, by one table:
//
//     DLPack type                    none        0            1            2                 -1           other
//     1 (host)                       none        refused, whatever it is
//     2, 3, 13 (CUDA)                default     refused      legacy       per thread        unordered    raw stream
//     10, 11 (ROCm)                  default     default      refused      refused           unordered    raw stream
//     others                         default     refused      refused      refused           unordered    raw stream
//
// Codes below -1 are refused. Returns the code with the default spelled one way: CUDA 1, ROCm 0, none elsewhere. Throws
// InteropError naming `what`, the type, the code and the codes that the type has.
EAGLE_API StreamCode checked_stream(std::int32_t device_type, StreamCode code, std::string_view what);

// What is put on `consumer` after the call waits for what is on `producer`: one event and one wait, never a wait of the
// host. Nothing happens on the host's memory, between equal streams, and where one side is unordered; no backend is
// loaded then. Throws InteropError for codes that the type has not, BackendUnavailable where no backend serves the
// type.
EAGLE_API void order_streams(std::int32_t device_type, std::int32_t device_id, StreamCode producer,
                             StreamCode consumer);
// Does order_streams() have something to do? Throws what it throws for codes.
EAGLE_API bool needs_order(std::int32_t device_type, StreamCode producer, StreamCode consumer);

}  // namespace eagle
