/* Minor 7 of the seam: device memory, code, identity and launch options for programs without a framework beside them.
 *
 * Every symbol is bound by itself, where eagle_backend_sdk_version is exported; a backend that has any reports minor 7.
 * The rules of eagle_backend.h, which includes this file, hold here too.
 */
#ifndef EAGLE_SEAM_EAGLE_BACKEND_SDK_H
#define EAGLE_SEAM_EAGLE_BACKEND_SDK_H

#include "eagle_backend.h"

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define EAGLE_BACKEND_SDK_VERSION 1 /* What eagle_backend_sdk_version answers. */

/* Output. */
struct eagle_backend_sdk_device_identity {
    uint32_t struct_size;
    int32_t device;
    uint8_t uuid[16];    /* the same in every process and after a reboot; zeros where the device has none */
    char pci_bus_id[32]; /* "0000:65:00.0"; "" where it has none */
};

/* Either image with image_bytes, or path. */
struct eagle_backend_sdk_module_desc {
    uint32_t struct_size, flags;
    int32_t device;
    uint32_t reserved; /* 0 */
    const void* image; /* device code in memory; read during the call only */
    uint64_t image_bytes;
    const char* path; /* a file of device code; on kind cpu a shared object */
};

/* A null pointer to it means all zero. */
struct eagle_backend_sdk_launch_options {
    uint32_t struct_size, flags;
    uint32_t grid;         /* number of blocks; 0 = made from count. On kind cpu: number of calls of the whole range */
    uint32_t shared_bytes; /* dynamic shared memory of a block */
    uint32_t max_parallel; /* 0 = all workers, 1 = one worker in ascending order; devices ignore it */
    uint32_t reserved;     /* 0 */
};

/* EAGLE_BACKEND_SDK_VERSION. */
uint32_t eagle_backend_sdk_version(void);
/* Usable devices; 0 and OK when there is none. */
eagle_backend_status eagle_backend_sdk_device_count(int32_t* count);
/* Fills *out by the output rule. */
eagle_backend_status eagle_backend_sdk_device_identity(int32_t device, struct eagle_backend_sdk_device_identity* out);
/* Device memory, in stream order, aligned to 256 bytes at least; *address is the caller's until sdk_device_free. 0
 * bytes is 0 and OK. Refused inside a capture. SDK_OUT_OF_MEMORY when there is none left. */
eagle_backend_status eagle_backend_sdk_device_alloc(int32_t device, uint64_t nbytes, uint64_t stream,
                                                    uint64_t* address);
/* In stream order; 0 is fine, a foreign address is refused. Put off while a capture is open on the thread. */
eagle_backend_status eagle_backend_sdk_device_free(int32_t device, uint64_t address, uint64_t stream);
/* Loads device code; *module is the caller's until sdk_module_unload. */
eagle_backend_status eagle_backend_sdk_module_load(const struct eagle_backend_sdk_module_desc* desc, uint64_t* module);
/* What launch_desc.function takes; it dies with the module. INVALID_ARGUMENT naming the symbol when it is absent. */
eagle_backend_status eagle_backend_sdk_module_function(uint64_t module, const char* name, uint64_t* function);
/* Address and size of a variable of the module: of the device, on kinds that take `host` files of the host.
 * INVALID_ARGUMENT naming the symbol when it is absent. */
eagle_backend_status eagle_backend_sdk_module_global(uint64_t module, const char* name, uint64_t* address,
                                                     uint64_t* nbytes);
/* BAD_HANDLE while a live graph holds one of its functions. Work of its functions that is on a stream must be done. */
eagle_backend_status eagle_backend_sdk_module_unload(uint64_t module);
/* run_device with options. */
eagle_backend_status eagle_backend_sdk_launch(const struct eagle_backend_launch_desc* desc,
                                              const struct eagle_backend_sdk_launch_options* options,
                                              int32_t* launched);
/* A conditional node reads the cells of desc from here on; its kind stays. */
eagle_backend_status eagle_backend_sdk_launcher_set_conditional(eagle_backend_launcher h, uint64_t node,
                                                                const struct eagle_backend_conditional_desc* desc);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#pragma GCC visibility pop
#endif

#endif /* EAGLE_SEAM_EAGLE_BACKEND_SDK_H */
