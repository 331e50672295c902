// The structures of DLPack 1.x as they lie in memory (public ABI), and of its C exchange table.
#pragma once
#include <cstdint>

namespace eagle::python::dlpack {

struct Version {
    std::uint32_t major, minor;
};
struct Device {
    std::int32_t type, id;
};
struct DataType {
    std::uint8_t code, bits;
    std::uint16_t lanes;
};
struct Tensor {
    void* data;
    Device device;
    std::int32_t ndim;
    DataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;  // in elements; null for a dense row-major tensor
    std::uint64_t byte_offset;
};
struct Managed {
    Tensor tensor;
    void* context;
    void (*deleter)(Managed*);
};
struct ManagedVersioned {
    Version version;
    void* context;
    void (*deleter)(ManagedVersioned*);
    std::uint64_t flags;
    Tensor tensor;
};
constexpr std::uint64_t flag_read_only = 1;
constexpr std::uint32_t major_version = 1;
constexpr std::int32_t device_host = 1;

// Found on a type as __dlpack_c_exchange_api__, a capsule of that name; older tables hang behind newer ones.
struct ExchangeHeader {
    Version version;
    ExchangeHeader* previous;
};
struct ExchangeTable {
    ExchangeHeader header;
    int (*allocate)(Tensor*, ManagedVersioned**, void*, void (*)(void*, const char*, const char*));
    int (*managed_from_object)(void*, ManagedVersioned**);
    int (*managed_to_object)(ManagedVersioned*, void**);
    int (*view_of_object)(void*, Tensor*);  // borrows for the length of a call; may be null
    int (*current_stream)(std::int32_t, std::int32_t, void**);
};
constexpr const char* exchange_capsule = "dlpack_exchange_api";

}  // namespace eagle::python::dlpack
