#include <eagle/Backend.h>
#include <eagle/seam/eagle_backend.h>

#include "backend/Entry.h"

namespace eagle {
namespace {

std::string text_of_failure(const Backend::Entry& entry, std::string_view call) {
    const char* text = entry.table.last_error();
    const std::string said = text == nullptr || *text == '\0' ? "the backend gave no message" : text;
    return "eagle: " + std::string(call) + " of the backend '" + entry.kind + "': " + said;
}

}  // namespace

void Backend::check(std::int32_t status, std::string_view call) const {
    if (status == EAGLE_BACKEND_OK) return;
    const std::string text = text_of_failure(*entry_, call);
    switch (status) {
        case EAGLE_BACKEND_INVALID_ARGUMENT:
            throw InvalidArgument(text);
        case EAGLE_BACKEND_INDEX:
            throw IndexError(text);
        case EAGLE_BACKEND_INTEROP:
            throw InteropError(text);
        case EAGLE_BACKEND_UNAVAILABLE:
            throw BackendUnavailable(text);
        case EAGLE_BACKEND_BAD_HANDLE:
            throw BadHandle(text);
        case EAGLE_BACKEND_UNSUPPORTED:
            throw Unsupported(text);
        case EAGLE_BACKEND_SDK_OUT_OF_MEMORY:
            throw OutOfMemory(text);
        case EAGLE_BACKEND_ERROR:
        case EAGLE_BACKEND_CALLBACK_FAILED:
            throw Error(text);
        default:
            throw Error(text + " (status " + std::to_string(status) + ", which this release has no name for)");
    }
}

}  // namespace eagle
