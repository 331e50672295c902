/* The binary layout of every struct of the seam, as figures that stand apart from the header. Compiled as C11 and as
 * C++20: a difference does not compile. */
#include <eagle/seam/eagle_backend.h>
#include <stddef.h>

#ifdef __cplusplus
#define HOLDS(condition, text) static_assert(condition, text)
#else
#define HOLDS(condition, text) _Static_assert(condition, text)
#endif
#define SIZE(type, bytes) HOLDS(sizeof(struct type) == (bytes), #type " has another size")
#define FIELD(type, name, at, bytes)                                                         \
    HOLDS(offsetof(struct type, name) == (at) && sizeof(((struct type*)0)->name) == (bytes), \
          #type "." #name " has another place or size")

SIZE(eagle_backend_build_info, 192);
FIELD(eagle_backend_build_info, struct_size, 0, 4);
FIELD(eagle_backend_build_info, abi_version, 4, 4);
FIELD(eagle_backend_build_info, cudart_version, 8, 4);
FIELD(eagle_backend_build_info, reserved0, 12, 4);
FIELD(eagle_backend_build_info, eagle_version, 16, 32);
FIELD(eagle_backend_build_info, archs, 48, 128);
FIELD(eagle_backend_build_info, backend_kind, 176, 16);

SIZE(eagle_backend_device_props, 368);
FIELD(eagle_backend_device_props, struct_size, 0, 4);
FIELD(eagle_backend_device_props, device, 4, 4);
FIELD(eagle_backend_device_props, name, 8, 256);
FIELD(eagle_backend_device_props, cc_major, 264, 4);
FIELD(eagle_backend_device_props, cc_minor, 268, 4);
FIELD(eagle_backend_device_props, sm_count, 272, 4);
FIELD(eagle_backend_device_props, clock_rate_khz, 276, 4);
FIELD(eagle_backend_device_props, memory_clock_rate_khz, 280, 4);
FIELD(eagle_backend_device_props, memory_bus_width_bits, 284, 4);
FIELD(eagle_backend_device_props, regs_per_block, 288, 4);
FIELD(eagle_backend_device_props, regs_per_sm, 292, 4);
FIELD(eagle_backend_device_props, warp_size, 296, 4);
FIELD(eagle_backend_device_props, reserved0, 300, 4);
FIELD(eagle_backend_device_props, shared_mem_per_block, 304, 8);
FIELD(eagle_backend_device_props, shared_mem_per_sm, 312, 8);
FIELD(eagle_backend_device_props, peak_bytes_per_s, 320, 8);
FIELD(eagle_backend_device_props, peak_flops_sp, 328, 8);
FIELD(eagle_backend_device_props, peak_flops_dp, 336, 8);
FIELD(eagle_backend_device_props, fp64_ratio, 344, 8);
FIELD(eagle_backend_device_props, ridge_flops_per_byte_sp, 352, 8);
FIELD(eagle_backend_device_props, ridge_flops_per_byte_dp, 360, 8);

SIZE(eagle_backend_stream_desc, 16);
FIELD(eagle_backend_stream_desc, struct_size, 0, 4);
FIELD(eagle_backend_stream_desc, flags, 4, 4);
FIELD(eagle_backend_stream_desc, device, 8, 4);
FIELD(eagle_backend_stream_desc, reserved0, 12, 4);

SIZE(eagle_backend_capturer_desc, 24);
FIELD(eagle_backend_capturer_desc, struct_size, 0, 4);
FIELD(eagle_backend_capturer_desc, flags, 4, 4);
FIELD(eagle_backend_capturer_desc, device, 8, 4);
FIELD(eagle_backend_capturer_desc, reserved0, 12, 4);
FIELD(eagle_backend_capturer_desc, stream, 16, 8);

SIZE(eagle_backend_fork_desc, 40);
FIELD(eagle_backend_fork_desc, struct_size, 0, 4);
FIELD(eagle_backend_fork_desc, flags, 4, 4);
FIELD(eagle_backend_fork_desc, device, 8, 4);
FIELD(eagle_backend_fork_desc, reserved0, 12, 4);
FIELD(eagle_backend_fork_desc, origin, 16, 8);
FIELD(eagle_backend_fork_desc, branch_count, 24, 8);
FIELD(eagle_backend_fork_desc, waits, 32, 8);

SIZE(eagle_backend_conditional_desc, 80);
FIELD(eagle_backend_conditional_desc, struct_size, 0, 4);
FIELD(eagle_backend_conditional_desc, flags, 4, 4);
FIELD(eagle_backend_conditional_desc, device, 8, 4);
FIELD(eagle_backend_conditional_desc, loop_cap, 12, 4);
FIELD(eagle_backend_conditional_desc, origin, 16, 8);
FIELD(eagle_backend_conditional_desc, count_ptr, 24, 8);
FIELD(eagle_backend_conditional_desc, baseline_ptr, 32, 8);
FIELD(eagle_backend_conditional_desc, counter_ptr, 40, 8);
FIELD(eagle_backend_conditional_desc, kind, 48, 4);
FIELD(eagle_backend_conditional_desc, arms, 52, 4);
FIELD(eagle_backend_conditional_desc, negate, 56, 4);
FIELD(eagle_backend_conditional_desc, reserved, 60, 4);
FIELD(eagle_backend_conditional_desc, brk_ptr, 64, 8);
FIELD(eagle_backend_conditional_desc, limit_ptr, 72, 8);

SIZE(eagle_backend_graph_desc, 16);
FIELD(eagle_backend_graph_desc, struct_size, 0, 4);
FIELD(eagle_backend_graph_desc, flags, 4, 4);
FIELD(eagle_backend_graph_desc, device, 8, 4);
FIELD(eagle_backend_graph_desc, reserved0, 12, 4);

SIZE(eagle_backend_launch_desc, 80);
FIELD(eagle_backend_launch_desc, struct_size, 0, 4);
FIELD(eagle_backend_launch_desc, flags, 4, 4);
FIELD(eagle_backend_launch_desc, device, 8, 4);
FIELD(eagle_backend_launch_desc, block, 12, 4);
FIELD(eagle_backend_launch_desc, function, 16, 8);
FIELD(eagle_backend_launch_desc, params, 24, 8);
FIELD(eagle_backend_launch_desc, param_sizes, 32, 8);
FIELD(eagle_backend_launch_desc, nparams, 40, 8);
FIELD(eagle_backend_launch_desc, base, 48, 8);
FIELD(eagle_backend_launch_desc, count, 56, 8);
FIELD(eagle_backend_launch_desc, n_samples, 64, 8);
FIELD(eagle_backend_launch_desc, stream, 72, 8);

SIZE(eagle_backend_composer_desc, 24);
FIELD(eagle_backend_composer_desc, struct_size, 0, 4);
FIELD(eagle_backend_composer_desc, flags, 4, 4);
FIELD(eagle_backend_composer_desc, device, 8, 4);
FIELD(eagle_backend_composer_desc, reserved0, 12, 4);
FIELD(eagle_backend_composer_desc, mode, 16, 8);

SIZE(eagle_backend_compact_desc, 104);
FIELD(eagle_backend_compact_desc, struct_size, 0, 4);
FIELD(eagle_backend_compact_desc, flags, 4, 4);
FIELD(eagle_backend_compact_desc, device, 8, 4);
FIELD(eagle_backend_compact_desc, reserved, 12, 4);
FIELD(eagle_backend_compact_desc, mask, 16, 8);
FIELD(eagle_backend_compact_desc, index_map, 24, 8);
FIELD(eagle_backend_compact_desc, count, 32, 8);
FIELD(eagle_backend_compact_desc, scratch, 40, 8);
FIELD(eagle_backend_compact_desc, n, 48, 8);
FIELD(eagle_backend_compact_desc, stream, 56, 8);
FIELD(eagle_backend_compact_desc, scratch_bytes, 64, 8);
FIELD(eagle_backend_compact_desc, live32, 72, 8);
FIELD(eagle_backend_compact_desc, span, 80, 8);
FIELD(eagle_backend_compact_desc, fire, 88, 8);
FIELD(eagle_backend_compact_desc, theta, 96, 4);
FIELD(eagle_backend_compact_desc, reserved2, 100, 4);

SIZE(eagle_backend_reorder_plane, 16);
FIELD(eagle_backend_reorder_plane, data, 0, 8);
FIELD(eagle_backend_reorder_plane, elem_bytes, 8, 4);
FIELD(eagle_backend_reorder_plane, reserved, 12, 4);

SIZE(eagle_backend_reorder_desc, 112);
FIELD(eagle_backend_reorder_desc, struct_size, 0, 4);
FIELD(eagle_backend_reorder_desc, flags, 4, 4);
FIELD(eagle_backend_reorder_desc, device, 8, 4);
FIELD(eagle_backend_reorder_desc, n_planes, 12, 4);
FIELD(eagle_backend_reorder_desc, planes, 16, 8);
FIELD(eagle_backend_reorder_desc, mask, 24, 8);
FIELD(eagle_backend_reorder_desc, perm, 32, 8);
FIELD(eagle_backend_reorder_desc, inv, 40, 8);
FIELD(eagle_backend_reorder_desc, index_map, 48, 8);
FIELD(eagle_backend_reorder_desc, count, 56, 8);
FIELD(eagle_backend_reorder_desc, span, 64, 8);
FIELD(eagle_backend_reorder_desc, fire, 72, 8);
FIELD(eagle_backend_reorder_desc, scratch, 80, 8);
FIELD(eagle_backend_reorder_desc, n, 88, 8);
FIELD(eagle_backend_reorder_desc, stream, 96, 8);
FIELD(eagle_backend_reorder_desc, scratch_bytes, 104, 8);

SIZE(eagle_backend_sdk_device_identity, 56);
FIELD(eagle_backend_sdk_device_identity, struct_size, 0, 4);
FIELD(eagle_backend_sdk_device_identity, device, 4, 4);
FIELD(eagle_backend_sdk_device_identity, uuid, 8, 16);
FIELD(eagle_backend_sdk_device_identity, pci_bus_id, 24, 32);

SIZE(eagle_backend_sdk_module_desc, 40);
FIELD(eagle_backend_sdk_module_desc, struct_size, 0, 4);
FIELD(eagle_backend_sdk_module_desc, flags, 4, 4);
FIELD(eagle_backend_sdk_module_desc, device, 8, 4);
FIELD(eagle_backend_sdk_module_desc, reserved, 12, 4);
FIELD(eagle_backend_sdk_module_desc, image, 16, 8);
FIELD(eagle_backend_sdk_module_desc, image_bytes, 24, 8);
FIELD(eagle_backend_sdk_module_desc, path, 32, 8);

SIZE(eagle_backend_sdk_launch_options, 24);
FIELD(eagle_backend_sdk_launch_options, struct_size, 0, 4);
FIELD(eagle_backend_sdk_launch_options, flags, 4, 4);
FIELD(eagle_backend_sdk_launch_options, grid, 8, 4);
FIELD(eagle_backend_sdk_launch_options, shared_bytes, 12, 4);
FIELD(eagle_backend_sdk_launch_options, max_parallel, 16, 4);
FIELD(eagle_backend_sdk_launch_options, reserved, 20, 4);

/* Values that live in compiled backends. */
HOLDS(EAGLE_BACKEND_VERSION_MAJOR == 1, "EAGLE_BACKEND_VERSION_MAJOR has another value");
HOLDS(EAGLE_BACKEND_VERSION_MINOR == 7, "EAGLE_BACKEND_VERSION_MINOR has another value");
HOLDS(EAGLE_BACKEND_VERSION == 0x10007u, "EAGLE_BACKEND_VERSION has another value");
HOLDS(EAGLE_BACKEND_SDK_VERSION == 1, "EAGLE_BACKEND_SDK_VERSION has another value");
HOLDS(EAGLE_BACKEND_OK == 0, "EAGLE_BACKEND_OK has another value");
HOLDS(EAGLE_BACKEND_ERROR == 1, "EAGLE_BACKEND_ERROR has another value");
HOLDS(EAGLE_BACKEND_INVALID_ARGUMENT == 2, "EAGLE_BACKEND_INVALID_ARGUMENT has another value");
HOLDS(EAGLE_BACKEND_INDEX == 3, "EAGLE_BACKEND_INDEX has another value");
HOLDS(EAGLE_BACKEND_INTEROP == 4, "EAGLE_BACKEND_INTEROP has another value");
HOLDS(EAGLE_BACKEND_UNAVAILABLE == 5, "EAGLE_BACKEND_UNAVAILABLE has another value");
HOLDS(EAGLE_BACKEND_CALLBACK_FAILED == 6, "EAGLE_BACKEND_CALLBACK_FAILED has another value");
HOLDS(EAGLE_BACKEND_BAD_HANDLE == 7, "EAGLE_BACKEND_BAD_HANDLE has another value");
HOLDS(EAGLE_BACKEND_UNSUPPORTED == 8, "EAGLE_BACKEND_UNSUPPORTED has another value");
HOLDS(EAGLE_BACKEND_SDK_OUT_OF_MEMORY == 9, "EAGLE_BACKEND_SDK_OUT_OF_MEMORY has another value");
HOLDS(EAGLE_BACKEND_CAP_STREAM == 1, "EAGLE_BACKEND_CAP_STREAM has another value");
HOLDS(EAGLE_BACKEND_CAP_CAPTURER == 2, "EAGLE_BACKEND_CAP_CAPTURER has another value");
HOLDS(EAGLE_BACKEND_CAP_CAPTURED == 4, "EAGLE_BACKEND_CAP_CAPTURED has another value");
HOLDS(EAGLE_BACKEND_CAP_FORK == 8, "EAGLE_BACKEND_CAP_FORK has another value");
HOLDS(EAGLE_BACKEND_CAP_CONDITIONAL == 16, "EAGLE_BACKEND_CAP_CONDITIONAL has another value");
HOLDS(EAGLE_BACKEND_CAP_ATTRIBUTION == 32, "EAGLE_BACKEND_CAP_ATTRIBUTION has another value");
HOLDS(EAGLE_BACKEND_CAP_GRAPH == 64, "EAGLE_BACKEND_CAP_GRAPH has another value");
HOLDS(EAGLE_BACKEND_CAP_LAUNCHER == 128, "EAGLE_BACKEND_CAP_LAUNCHER has another value");
HOLDS(EAGLE_BACKEND_CAP_EXEC == 512, "EAGLE_BACKEND_CAP_EXEC has another value");
HOLDS(EAGLE_BACKEND_CAP_DEVICE == 1024, "EAGLE_BACKEND_CAP_DEVICE has another value");
HOLDS(EAGLE_BACKEND_CAP_INTEROP == 2048, "EAGLE_BACKEND_CAP_INTEROP has another value");
HOLDS(EAGLE_BACKEND_CAP_FILTERING == 4096, "EAGLE_BACKEND_CAP_FILTERING has another value");
HOLDS(EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE == 8192, "EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE has another value");
HOLDS(EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH == 16384, "EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH has another value");
HOLDS(EAGLE_BACKEND_STREAM_NON_BLOCKING == 1, "EAGLE_BACKEND_STREAM_NON_BLOCKING has another value");
HOLDS(EAGLE_BACKEND_COMPACT_MASK_IS_DROP == 1, "EAGLE_BACKEND_COMPACT_MASK_IS_DROP has another value");
HOLDS(EAGLE_BACKEND_STREAM_NONE == INT64_MIN, "EAGLE_BACKEND_STREAM_NONE has another value");
HOLDS(EAGLE_BACKEND_LOOP_UNCAPPED == UINT32_MAX, "EAGLE_BACKEND_LOOP_UNCAPPED has another value");
HOLDS(sizeof(eagle_backend_status) == 4 && sizeof(eagle_backend_stream) == 8, "a scalar has another size");

int main(void) { return 0; }
