// Planes of a graph: the arrays its nodes read and write, as data; and the bytes that a view of memory touches.
#pragma once
#include <eagle/export.h>
#include <eagle/marshal/ArrayView.h>

#include <array>
#include <cstdint>
#include <string>

namespace eagle::graph {

// A line of the user's program. A binding gives its own user's file and line; C++ gives the line of the call.
struct EAGLE_API SourceLine {
    std::string file;
    std::uint32_t line = 0;

    SourceLine() = default;
    // The line of the call, as a default argument. (std::source_location has it too, but not for every compiler that
    // reads these headers.)
    static SourceLine current(const char* of_file = __builtin_FILE(), std::uint32_t of_line = __builtin_LINE()) {
        return {of_file, of_line};
    }
    SourceLine(std::string of_file, std::uint32_t of_line) : file(std::move(of_file)), line(of_line) {}
    std::string text() const;  // "file:line", or "an unknown line"
};

// Where memory lives, as DLPack has it. Type 0 is the device that the graph turns out to run on: that of scratch.
struct EAGLE_API Device {
    std::int32_t type = 0;
    std::int32_t id = 0;

    friend bool operator==(const Device&, const Device&) = default;
    // Memory that the host reads and writes: plain, or page-locked by a device's driver.
    bool host() const;
    // Memory that host and device both reach.
    bool managed() const;
    std::string text() const;  // "host memory", "page-locked host memory", "cuda:0", "device type 12:0"
};

// Names a plane of one description; made by it, of no use with another.
struct PlaneRef {
    std::uint64_t description = 0;
    std::uint32_t index = 0;

    explicit operator bool() const { return description != 0; }
    friend bool operator==(const PlaneRef&, const PlaneRef&) = default;
};

// A plane that is one uint32: what control flow is decided by.
struct CellRef {
    PlaneRef plane;

    operator PlaneRef() const { return plane; }
    explicit operator bool() const { return static_cast<bool>(plane); }
};

// A set of bytes: `run` bytes at every begin + sum of i_k * stride_k, 0 <= i_k < count_k.
struct EAGLE_API Extent {
    struct Rows {
        std::uint64_t count = 0;  // at least 2
        std::uint64_t stride = 0;
        friend bool operator==(const Rows&, const Rows&) = default;
    };

    // Addresses have space 0, and count as one space whatever device they belong to; every scratch plane has one of its
    // own, in which its first byte is byte 0.
    std::uint32_t space = 0;
    std::uint64_t begin = 0;
    std::uint64_t run = 0;                         // 0: nothing is touched
    std::int32_t ndim = 0;                         // 0: the bytes [begin, begin + run)
    std::array<Rows, ArrayView::max_dims> rows{};  // strides falling; rows that lie end to end are joined

    // One past the last byte.
    std::uint64_t end() const;
    bool empty() const { return run == 0; }
    friend bool operator==(const Extent&, const Extent&) = default;
};

// Is there a byte in both? Exact: two strided views that interleave without meeting do not touch. (Views of three and
// more dimensions whose strides have nothing in common are searched row by row; where that takes more than a million
// steps, the answer is yes.)
EAGLE_API bool touches(const Extent& a, const Extent& b);
// Is every byte of `inner` surely in `outer`? A contiguous range answers exactly, a strided one for an equal extent.
EAGLE_API bool covers(const Extent& outer, const Extent& inner);

struct EAGLE_API Plane {
    std::string name;
    SourceLine where;  // of its declaration
    Device device;
    // Of element [0, 0, ...]. 0 for scratch, whose place an arena gives.
    std::uint64_t address = 0;
    bool scratch = false;
    bool read_only = false;
    bool cell = false;
    // Scratch that holds a result of the graph: it shares bytes with no other plane.
    bool kept = false;
    // Made by a node for itself (a loop's counter, the workspace of a reduction); no name of the user's.
    bool hidden = false;
    // The plane that owns the bytes: itself, unless it is a view. Of scratch, `offset` is where in them element
    // [0, 0, ...] is.
    std::uint32_t root = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  // number of elements times their size; of scratch that is no view, what it takes up
    ElementType type;
    std::int32_t ndim = 0;
    std::array<std::int64_t, ArrayView::max_dims> shape{};
    std::array<std::int64_t, ArrayView::max_dims> strides{};  // bytes

    std::int64_t size() const;  // elements
    std::uint64_t item_bytes() const { return (static_cast<std::uint64_t>(type.bits) * type.lanes + 7) / 8; }
    // Row-major without gaps, so that a copy or a fill may take it as a run of bytes.
    bool dense() const;
    Extent extent() const;
    // The same as an array, at `at` (the address of its element [0, 0, ...]).
    ArrayView view(std::uint64_t at) const;
};

}  // namespace eagle::graph
