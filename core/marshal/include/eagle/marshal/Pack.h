// From named arguments to the argument blocks of a kernel: every rule about names, shapes, dtypes, devices and overlap,
// once.
#pragma once
#include <eagle/export.h>
#include <eagle/marshal/ArrayView.h>
#include <eagle/marshal/Signature.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace eagle::marshal {

// An array, or a number for a uniform. An integer stays an integer until the parameter's dtype is known.
using Value = std::variant<ArrayView, double, std::int64_t>;

enum class Conversion : std::uint8_t {
    refuse,   // bind: nothing is allocated, nothing converted; what does not fit as it stands is refused
    convert,  // run: safe dtype and layout conversions by value, with a notice each
};

// Something the caller should be told of, once a call site: a conversion that cost a copy.
struct Notice {
    enum class Kind : std::uint8_t { layout, performance } kind;
    std::string parameter;
    std::string text;
};

// Where the memory of an `out` comes from that the caller did not give.
class EAGLE_API OutAllocator {
  public:
    virtual ~OutAllocator();
    // Zero-filled memory for `bytes` bytes, aligned to its elements; `shape` is the array that the caller will get,
    // dense and row-major: () or the shape of one sample for one sample, the native shape of the plane for a batch.
    // Null means that there is no memory: pack() then throws OutOfMemory.
    virtual std::shared_ptr<void> allocate(std::size_t index, const Parameter& parameter,
                                           std::span<const std::int64_t> shape, std::size_t bytes) = 0;
};

struct Options {
    Conversion conversion = Conversion::refuse;
    SamplesAxis layout = SamplesAxis::unspecified;  // of every plane that does not say its own
    bool allocate_out = false;                      // `out` planes that are not given are allocated, zero-filled
    OutAllocator* allocator = nullptr;              // who allocates them; null: plain aligned host memory
    std::int32_t device_type = 1;                   // where the planes must live
    std::int32_t device_id = 0;
};

// One argument as the kernel reads it: a 40-, 32-, 8- or 4-byte block (docs/artifacts.md, "The sidecar").
struct alignas(8) Block {
    std::byte bytes[40];
    std::uint32_t size = 0;
};

// Arguments ready for a launch. Move-only: params() points into it. It owns converted copies and allocated outputs, and
// no array of the caller's: who calls keeps those alive.
class EAGLE_API Packed {
  public:
    Packed();
    ~Packed();
    Packed(Packed&&) noexcept;
    Packed& operator=(Packed&&) noexcept;

    std::int64_t samples() const;
    // The planes hold one value of their per-sample shape each, not a batch (samples() is 1).
    bool one_sample() const;
    void* const* params() const;               // addresses of the blocks, in packing order, a v1 entry's before them
    const std::uint64_t* param_sizes() const;  // their sizes in bytes
    std::size_t count() const;

    // Number of parameter `index` (a uniform). Throws ArgumentError when it is a plane, InvalidArgument when the value
    // does not survive.
    void set_number(std::size_t index, double value);
    void set_number(std::size_t index, std::int64_t value);
    // A plane that the loader supplies (__steps, __control, __next): dense, `samples` elements. Until it is set, its
    // block says null and 0 samples, and the kernel leaves it alone.
    void set_supplied(std::size_t index, void* data, std::int64_t samples);
    // A new array for plane `index`, under the rules of pack(), of as many samples as before. On an error nothing
    // changes. The signature given to pack() must still be there.
    void set_array(std::size_t index, const ArrayView& array);

    // The array bound to parameter `index` as given or allocated (a view; a converted copy shows the caller's own
    // array).
    const ArrayView& array(std::size_t index) const;
    // Memory of an allocated `out`, to hand on to the caller; null where the caller gave the array.
    std::shared_ptr<void> allocated(std::size_t index) const;

    // After the work: what was written into converted copies goes back to the caller's arrays.
    void copy_back();
    std::span<const Notice> notices() const;

  private:
    friend Packed pack(const Signature&, std::span<const Value* const>, const Options&);
    struct State;
    std::unique_ptr<State> state_;
};

// Binds `values` (named by `names`, any order) to the signature. Planes that the loader supplies are left for
// set_supplied. Throws ArgumentError (missing, unknown, duplicate name; an array where a number belongs), LayoutError
// (shape, length: names the plane that disagrees with the majority), BufferRefused (dtype, device, read-only, byte
// order, overlap of a written plane), and leaves every array as it was.
EAGLE_API Packed pack(const Signature& signature, std::span<const std::string_view> names,
                      std::span<const Value> values, const Options& options);

// The same with the names already matched: `values[i]` belongs to parameter i, null where it was not given.
EAGLE_API Packed pack(const Signature& signature, std::span<const Value* const> values, const Options& options);

}  // namespace eagle::marshal
