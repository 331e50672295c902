#include "LastError.h"

namespace eagle::host {
namespace {

// A pointer that needs no initialisation, so that the good path costs one store; the string is touched on failures
// only.
thread_local const char* current = "";

std::string& storage() {
    thread_local std::string text;
    return text;
}

}  // namespace

const char* last_error() noexcept { return current; }

eagle_backend_status ok() noexcept {
    current = "";
    return EAGLE_BACKEND_OK;
}

eagle_backend_status fail(eagle_backend_status status, const char* call, const char* text) noexcept {
    try {
        std::string next = call;
        next += ": ";
        next += text;
        storage().swap(next);
        current = storage().c_str();
    } catch (...) {
        current = "out of memory while an error was reported";
    }
    return status;
}

}  // namespace eagle::host
