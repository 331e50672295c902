#include "Check.h"

namespace eagle::host {
namespace {

std::string hex(std::uint32_t bits) {
    std::string digits;
    do {
        digits.insert(digits.begin(), "0123456789abcdef"[bits & 15u]);
        bits >>= 4;
    } while (bits);
    return "0x" + digits;
}

}  // namespace

void refuse(std::string text) { throw Failure(EAGLE_BACKEND_INVALID_ARGUMENT, std::move(text)); }

void require_flags(std::uint32_t found, std::uint32_t known, const char* what) {
    if ((found & ~known) == 0) return;
    throw Failure(EAGLE_BACKEND_UNSUPPORTED, std::string(what) + " has flags " + hex(found) + ", of which " +
                                                 hex(found & ~known) + " is unknown here; known bits are " +
                                                 hex(known));
}

void require_output(const void* pointer, const char* name) {
    if (!pointer) refuse(std::string(name) + " is null; pass the address of the result");
}

}  // namespace eagle::host
