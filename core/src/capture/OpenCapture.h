// Captures that this thread has open, and what waits for their end.
#pragma once
#include <eagle/Backend.h>

#include <utility>

namespace eagle::detail {

// Nothing is destroyed on a device while a capture is open: the driver may synchronise, and the capture fails.
class OpenCapture {
  public:
    static void opened() noexcept;
    // What was put off is freed once the last capture of this thread is over.
    static void closed() noexcept;
    static bool is_open() noexcept;
    // Frees `value` through `free(backend, value, extra)`: at once, or when the capture is over.
    using Free = void (*)(const Backend& backend, std::uint64_t value, std::uint64_t extra);
    static void free_when_closed(const Backend& backend, Free free, std::uint64_t value, std::uint64_t extra) noexcept;
};

}  // namespace eagle::detail
