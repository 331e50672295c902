#include <eagle/detail/SeamHandle.h>

#include <string>
#include <utility>

#include "backend/Entry.h"
#include "capture/OpenCapture.h"

namespace eagle::detail {

SeamHandle::SeamHandle(SeamHandle&& other) noexcept
    : backend_(other.backend_),
      handle_(std::exchange(other.handle_, nullptr)),
      release_(other.release_),
      noun_(other.noun_) {}

SeamHandle& SeamHandle::operator=(SeamHandle&& other) noexcept {
    if (this == &other) return *this;
    reset();
    backend_ = other.backend_;
    handle_ = std::exchange(other.handle_, nullptr);
    release_ = other.release_;
    noun_ = other.noun_;
    return *this;
}

void* SeamHandle::get() const {
    if (handle_ != nullptr) return handle_;
    throw BadHandle(std::string("eagle: this ") + noun_ + " was moved from or consumed; needs one that holds a handle");
}

void SeamHandle::reset() noexcept {
    if (handle_ == nullptr) return;
    const auto free = [](const Backend& backend, std::uint64_t handle, std::uint64_t release) {
        reinterpret_cast<Release>(release)(backend.table(), reinterpret_cast<void*>(handle));
    };
    OpenCapture::free_when_closed(backend_, free, reinterpret_cast<std::uint64_t>(std::exchange(handle_, nullptr)),
                                  reinterpret_cast<std::uint64_t>(release_));
}

}  // namespace eagle::detail
