#include "DeviceCode.h"

#include "DeviceParts.h"

#if DEVICE_PARTS > 0

#define PART(arch)                                   \
    ".quad eagle_hip_" arch                          \
    " - eagle_hip_bundle\n"                          \
    ".quad eagle_hip_" arch "_end - eagle_hip_" arch \
    "\n"                                             \
    ".quad 2f - 1f\n"                                \
    "1: .ascii \"hipv4-amdgcn-amd-amdhsa--" arch     \
    "\"\n"                                           \
    "2:\n"
#define CODE(arch, file) \
    ".balign 4096\n"     \
    "eagle_hip_" arch    \
    ":\n"                \
    ".incbin \"" file    \
    "\"\n"               \
    "eagle_hip_" arch "_end:\n"
#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number

// In the section where AMD's tools look. The first part is the host's, of no bytes.
__asm__(
    ".section .hip_fatbin,\"a\",@progbits\n"
    ".balign 4096\n"
    ".hidden eagle_hip_bundle\n"
    ".globl eagle_hip_bundle\n"
    "eagle_hip_bundle:\n"
    ".ascii \"__CLANG_OFFLOAD_BUNDLE__\"\n"
    ".quad 1 + " TEXT(DEVICE_PARTS) "\n"
    ".quad 4096\n"
    ".quad 0\n"
    ".quad 2f - 1f\n"
    "1: .ascii \"host-x86_64-unknown-linux-gnu-\"\n"
    "2:\n"
    DEVICE_ENTRIES
    DEVICE_CODE
    ".previous\n");

extern "C" {
extern const unsigned char eagle_hip_bundle[] __attribute__((visibility("hidden")));
}

namespace eagle::hip {

const void* device_code() { return eagle_hip_bundle; }

}  // namespace eagle::hip

#else

namespace eagle::hip {

const void* device_code() { return nullptr; }

}  // namespace eagle::hip

#endif
