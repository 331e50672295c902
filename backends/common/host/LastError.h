// The text behind eagle_backend_last_error, one a thread.
#pragma once
#include <eagle/seam/eagle_backend.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

namespace eagle::host {

// A refusal on its way to the edge of the seam.
class Failure : public std::exception {
  public:
    Failure(eagle_backend_status status, std::string text) : status_(status), text_(std::move(text)) {}
    eagle_backend_status status() const { return status_; }
    const char* what() const noexcept override { return text_.c_str(); }

  private:
    eagle_backend_status status_;
    std::string text_;
};

// Set by fail, "" after ok; what a thread reads lives until its next call.
const char* last_error() noexcept;
eagle_backend_status ok() noexcept;
eagle_backend_status fail(eagle_backend_status status, const char* call, const char* text) noexcept;

// Every entry of a backend is one guarded body: nothing that it throws crosses the seam.
template <class Body>
eagle_backend_status entry(const char* call, Body&& body,
                           eagle_backend_status no_memory = EAGLE_BACKEND_ERROR) noexcept {
    try {
        body();
        return ok();
    } catch (const Failure& e) {
        return fail(e.status(), call, e.what());
    } catch (const std::bad_alloc&) {
        return fail(no_memory, call, "out of memory");
    } catch (const std::exception& e) {
        return fail(EAGLE_BACKEND_ERROR, call, e.what());
    } catch (...) {
        return fail(EAGLE_BACKEND_ERROR, call, "failed with an exception of unknown type");
    }
}

}  // namespace eagle::host
