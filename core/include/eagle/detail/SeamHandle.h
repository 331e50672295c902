// One handle of the seam, owned.
#pragma once
#include <eagle/Backend.h>
#include <eagle/export.h>

namespace eagle::detail {

// Move-only; given back to its backend with the object. While this thread has a capture open (CaptureScope), giving
// back is put off until it ends; what a parent made on a device is left alone in the child of a fork.
class EAGLE_API SeamHandle {
  public:
    using Release = void (*)(const seam::Table& seam, void* handle);
    // `noun` is what errors call the object; it outlives it.
    SeamHandle(const Backend& backend, void* handle, Release release, const char* noun)
        : backend_(backend), handle_(handle), release_(release), noun_(noun) {}
    ~SeamHandle() { reset(); }
    SeamHandle(SeamHandle&& other) noexcept;
    SeamHandle& operator=(SeamHandle&& other) noexcept;

    // Throws BadHandle when the object was moved from or consumed.
    void* get() const;
    bool is_empty() const { return handle_ == nullptr; }
    // The backend has it from here on.
    void consumed() noexcept { handle_ = nullptr; }
    const Backend& backend() const { return backend_; }

  private:
    void reset() noexcept;
    Backend backend_;
    void* handle_;
    Release release_;
    const char* noun_;
};

}  // namespace eagle::detail
