/* The seam `eagle-backend/1`: everything that crosses between eagle and an execution backend.
 *
 * A backend is one shared library, libeagle_<kind>, that exports the functions below which it has. Seven are required
 * of every backend (section "core"); the rest are optional. Groups are promised by a capability bit; every symbol that
 * came in after minor 0 is bound by itself, and its presence is the capability. symbols.def lists every symbol with the
 * minor it came in; POLICIES.md numbers the rules (EBP-n) that a backend obeys.
 *
 * Rules of the whole header:
 *
 * - Return: every entry returns a status, except where void, uint32_t or const char* is written. A failing call
 *   has changed nothing that its description does not name, and has set the text of last_error.
 * - Description (*_desc, input): the caller fills it with zeros and sets struct_size to its own sizeof. The backend
 *   reads the smaller of that and its own size, and takes the rest as zero. Less than 12 bytes is
 *   INVALID_ARGUMENT; more than the backend knows is fine.
 * - Output (build_info, device_props, device_identity): the caller fills it with zeros and sets struct_size. The
 *   backend writes the smaller of both sizes and stores that number in struct_size; less than 4 bytes is
 *   INVALID_ARGUMENT. Character arrays end with NUL.
 * - Flags: an unknown bit is UNSUPPORTED, and the message names it. Other `reserved` than 0 is INVALID_ARGUMENT.
 * - Device: an ordinal >= 0; -1 is the device of the stream in the description or, without one, the device current
 *   on the calling thread (0 if none). Other negative numbers are INVALID_ARGUMENT. A handle keeps its device.
 * - Checks come in this order: description valid, unknown flags, a usable device, device number and output pointer.
 *   A null handle is BAD_HANDLE; a null description or output pointer is INVALID_ARGUMENT.
 * - Handles are opaque. Any thread may use one, one thread at a time. *_release takes NULL. An argument that a call
 *   consumes is consumed on OK only; after an error it is still the caller's.
 * - Streams cross as uint64_t; 0 is the legacy default stream of the device.
 * - Callbacks run on the calling thread inside the call that triggers them (host_func aside); a nonzero return
 *   ends the call with CALLBACK_FAILED.
 */
#ifndef EAGLE_SEAM_EAGLE_BACKEND_H
#define EAGLE_SEAM_EAGLE_BACKEND_H

#include <stdint.h>

/* A backend compiles with hidden visibility; these names it exports. Some structs are named as the function that fills
 * them, which a compiler may remark on as shadowing. */
#if defined(__GNUC__)
#pragma GCC visibility push(default)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version ----
 * Minors only add. The core accepts exactly its own major and any minor. */
#define EAGLE_BACKEND_VERSION_MAJOR 1
#define EAGLE_BACKEND_VERSION_MINOR 7
#define EAGLE_BACKEND_VERSION (((uint32_t)EAGLE_BACKEND_VERSION_MAJOR << 16) | (uint32_t)EAGLE_BACKEND_VERSION_MINOR)

/* ---- status ----
 * Values are only ever added. */
typedef int32_t eagle_backend_status;

#define EAGLE_BACKEND_OK 0
#define EAGLE_BACKEND_ERROR 1             /* Failed for a reason that no other value names. */
#define EAGLE_BACKEND_INVALID_ARGUMENT 2  /* Wrong on every device: a null pointer, a description that is too short. */
#define EAGLE_BACKEND_INDEX 3             /* An index lies outside the range. */
#define EAGLE_BACKEND_INTEROP 4           /* The DLPack or interop contract was broken. */
#define EAGLE_BACKEND_UNAVAILABLE 5       /* Not on this machine: no driver, no device, or an entry point it lacks. */
#define EAGLE_BACKEND_CALLBACK_FAILED 6   /* A callback of the core returned nonzero. */
#define EAGLE_BACKEND_BAD_HANDLE 7        /* A null, released, consumed or foreign handle. */
#define EAGLE_BACKEND_UNSUPPORTED 8       /* The symbol is there; this option, flag, field or type is not. */
#define EAGLE_BACKEND_SDK_OUT_OF_MEMORY 9 /* Memory ran out. Only symbols named sdk_* return it (minor 7). */

/* ---- capabilities ----
 * A set bit promises every symbol of its group that came in with minor 0. A clear bit is always legal. Bit 8 is
 * reserved for composers, 15 to 62 for later groups; 63 is never assigned. Unknown bits are ignored by the core. */
#define EAGLE_BACKEND_CAP_STREAM ((uint64_t)1 << 0)
#define EAGLE_BACKEND_CAP_CAPTURER ((uint64_t)1 << 1)
#define EAGLE_BACKEND_CAP_CAPTURED ((uint64_t)1 << 2)
#define EAGLE_BACKEND_CAP_FORK ((uint64_t)1 << 3)
#define EAGLE_BACKEND_CAP_CONDITIONAL ((uint64_t)1 << 4)
#define EAGLE_BACKEND_CAP_ATTRIBUTION ((uint64_t)1 << 5)
#define EAGLE_BACKEND_CAP_GRAPH ((uint64_t)1 << 6)
#define EAGLE_BACKEND_CAP_LAUNCHER ((uint64_t)1 << 7)
#define EAGLE_BACKEND_CAP_EXEC ((uint64_t)1 << 9)
#define EAGLE_BACKEND_CAP_DEVICE ((uint64_t)1 << 10)
#define EAGLE_BACKEND_CAP_INTEROP ((uint64_t)1 << 11)
#define EAGLE_BACKEND_CAP_FILTERING ((uint64_t)1 << 12)
/* Options of the conditional group, without symbols of their own: kinds if_else and switch work on this device. */
#define EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE ((uint64_t)1 << 13)
#define EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH ((uint64_t)1 << 14)

/* ---- flags and codes ---- */
/* stream_desc.flags: the stream does not order itself against the legacy default stream. */
#define EAGLE_BACKEND_STREAM_NON_BLOCKING 1u
/* compact_desc.flags: a nonzero mask byte drops the sample instead of keeping it. */
#define EAGLE_BACKEND_COMPACT_MASK_IS_DROP 1u
#define EAGLE_BACKEND_STREAM_NONE INT64_MIN /* fence: no stream was given, the default of the device type is meant. */

/* conditional_desc.kind (minors 1 to 5) */
#define EAGLE_BACKEND_CONDITIONAL_KIND_DERIVED 0u /* while when counter_ptr is set, if otherwise */
#define EAGLE_BACKEND_CONDITIONAL_KIND_IF 1u
#define EAGLE_BACKEND_CONDITIONAL_KIND_IF_ELSE 2u
#define EAGLE_BACKEND_CONDITIONAL_KIND_WHILE 3u
#define EAGLE_BACKEND_CONDITIONAL_KIND_SWITCH 4u
/* conditional_desc.loop_cap: a while without a limit on its iterations. */
#define EAGLE_BACKEND_LOOP_UNCAPPED 0xffffffffu

/* memcpy.kind (minor 6) */
#define EAGLE_BACKEND_MEMCPY_HOST_TO_DEVICE 0
#define EAGLE_BACKEND_MEMCPY_DEVICE_TO_HOST 1
#define EAGLE_BACKEND_MEMCPY_DEVICE_TO_DEVICE 2
#define EAGLE_BACKEND_MEMCPY_HOST_TO_HOST 3

/* pointer_residency.cls (minors 1 to 5) */
#define EAGLE_BACKEND_RESIDENCY_HOST 0
#define EAGLE_BACKEND_RESIDENCY_DEVICE 1
#define EAGLE_BACKEND_RESIDENCY_MANAGED 2
#define EAGLE_BACKEND_RESIDENCY_MAPPED_PINNED 3
#define EAGLE_BACKEND_RESIDENCY_PAGEABLE 4
#define EAGLE_BACKEND_RESIDENCY_OTHER_DEVICE 5

/* ---- handles and callbacks ---- */
typedef struct eagle_backend_stream_s* eagle_backend_stream;
typedef struct eagle_backend_capturer_s* eagle_backend_capturer;
typedef struct eagle_backend_captured_s* eagle_backend_captured;
typedef struct eagle_backend_fork_s* eagle_backend_fork;
typedef struct eagle_backend_conditional_s* eagle_backend_conditional;
typedef struct eagle_backend_graph_s* eagle_backend_graph;
typedef struct eagle_backend_launcher_s* eagle_backend_launcher;
typedef struct eagle_backend_composer_s* eagle_backend_composer;

/* Nonzero means the callback failed. */
typedef int32_t (*eagle_backend_step_fn)(void* ctx, uint64_t stream);
typedef int32_t (*eagle_backend_void_fn)(void* ctx);
/* What host_func runs (minor 6). */
typedef void (*eagle_backend_host_fn)(void* ctx);

/* ---- structs ----
 * Used by tag: some tags are also names of functions. Offsets are part of the contract; fields are only appended. */

/* Output. What the library is. */
struct eagle_backend_build_info {
    uint32_t struct_size;
    uint32_t abi_version;   /* what eagle_backend_version answers */
    int32_t cudart_version; /* version of the device runtime it was built against; 0 = none */
    int32_t reserved0;
    char eagle_version[32]; /* release of eagle it was built from */
    char archs[128]; /* device code it runs, words between blanks; with the machine's own code among them ("x86-64",
                        "aarch64") it is given `host` files, as a kind that serves DLPack type 1 is */
    char backend_kind[16];
};

/* Output. */
struct eagle_backend_device_props {
    uint32_t struct_size;
    int32_t device;
    char name[256];
    int32_t cc_major, cc_minor;
    int32_t sm_count;
    int32_t clock_rate_khz, memory_clock_rate_khz;
    int32_t memory_bus_width_bits;
    int32_t regs_per_block, regs_per_sm;
    int32_t warp_size;
    int32_t reserved0;
    int64_t shared_mem_per_block, shared_mem_per_sm; /* bytes */
    double peak_bytes_per_s;
    double peak_flops_sp, peak_flops_dp; /* a second, in single and double precision */
    double fp64_ratio;
    double ridge_flops_per_byte_sp, ridge_flops_per_byte_dp;
};

struct eagle_backend_stream_desc {
    uint32_t struct_size, flags; /* EAGLE_BACKEND_STREAM_NON_BLOCKING */
    int32_t device, reserved0;
};

struct eagle_backend_capturer_desc {
    uint32_t struct_size, flags;
    int32_t device, reserved0;
    uint64_t stream; /* the stream to capture */
};

struct eagle_backend_fork_desc {
    uint32_t struct_size, flags;
    int32_t device, reserved0;
    uint64_t origin; /* stream that the branches leave from and come back to */
    uint64_t branch_count;
    uint64_t waits; /* minors 1 to 5: number of marks the capture will make */
};

struct eagle_backend_conditional_desc {
    uint32_t struct_size, flags;
    int32_t device;
    uint32_t loop_cap;     /* while: most iterations; 0 is refused */
    uint64_t origin;       /* stream in capture */
    uint64_t count_ptr;    /* device uint32_t: the guard; of a switch, the arm to run */
    uint64_t baseline_ptr; /* device uint32_t to compare with; 0 = compare with 0 */
    uint64_t counter_ptr;  /* device uint32_t[2], {remaining, ran}, of a while; 0 = if */
    /* appended in minors 1 to 5 */
    uint32_t kind;      /* EAGLE_BACKEND_CONDITIONAL_KIND_* */
    uint32_t arms;      /* switch: number of arms */
    uint32_t negate;    /* 1 = the guard is inverted */
    uint32_t reserved;  /* 0 */
    uint64_t brk_ptr;   /* device uint32_t: nonzero after an iteration ends the loop; 0 = none */
    uint64_t limit_ptr; /* device uint32_t: go on while ran < *limit; 0 = none */
};

struct eagle_backend_graph_desc {
    uint32_t struct_size, flags;
    int32_t device, reserved0;
};

/* One launch of a kernel over the samples [base, base + count) of arrays that hold n_samples. */
struct eagle_backend_launch_desc {
    uint32_t struct_size, flags;
    int32_t device;
    uint32_t block;              /* threads a block; 0 is refused. A hint on kind cpu */
    uint64_t function;           /* what sdk_module_function gave, or the device's own function handle */
    const uint64_t* params;      /* nparams addresses of argument storage */
    const uint64_t* param_sizes; /* bytes; copied at the call. NULL: known from the code, or read as the kernel runs */
    int64_t nparams;
    int64_t base;
    int64_t count;
    int64_t n_samples;
    uint64_t stream;
};

/* Its layout is fixed; only experimental symbols (eagle_backend_x_composer_*), which this header reserves, take it. */
struct eagle_backend_composer_desc {
    uint32_t struct_size, flags;
    int32_t device, reserved0;
    const char* mode; /* "sequenced", "enabled", "rebuild"; NULL = sequenced */
};

/* In and out. A query (scratch 0) writes scratch_bytes alone. */
struct eagle_backend_compact_desc {
    uint32_t struct_size, flags; /* EAGLE_BACKEND_COMPACT_MASK_IS_DROP */
    int32_t device;
    uint32_t reserved;  /* 0 */
    uint64_t mask;      /* n bytes */
    uint64_t index_map; /* int32_t[n], out: kept samples in ascending order; slots past *count stay as they are */
    uint64_t count;     /* uint32_t[1], out */
    uint64_t scratch;   /* scratch_bytes of device memory; 0 = query */
    int64_t n;          /* samples; negative INVALID_ARGUMENT, above 2^31 - 1 UNSUPPORTED */
    uint64_t stream;
    int64_t scratch_bytes; /* out, of a query */
    /* appended within minor 0 */
    uint64_t live32;    /* uint32_t[1], out: aligned groups of 32 samples that hold a kept one; 0 = none */
    uint64_t span;      /* uint32_t[1]: samples now in use; 0 = none */
    uint64_t fire;      /* uint32_t[1], out: whether a reorder is worth it; 0 = none */
    float theta;        /* in (0, 1) */
    uint32_t reserved2; /* 0 */
};

/* One row of reorder_desc.planes: the one array of structs that crosses. */
struct eagle_backend_reorder_plane {
    uint64_t data;
    uint32_t elem_bytes; /* 1, 2, 4, 8 or 16 */
    uint32_t reserved;   /* 0 */
};

/* In and out. A query (scratch 0) writes scratch_bytes alone. reset_device reads perm, inv, index_map, count, span, n,
 * stream and device. */
struct eagle_backend_reorder_desc {
    uint32_t struct_size, flags;
    int32_t device;
    uint32_t n_planes;
    uint64_t planes;    /* host array of eagle_backend_reorder_plane */
    uint64_t mask;      /* one of the planes */
    uint64_t perm;      /* int32_t[n], slot -> sample */
    uint64_t inv;       /* int32_t[n], sample -> slot */
    uint64_t index_map; /* int32_t[n], out: identity over [0, *count) */
    uint64_t count;     /* uint32_t[1], out */
    uint64_t span;      /* uint32_t[1], in and out */
    uint64_t fire;      /* uint32_t[1]: 0 there makes the call do nothing, and the call clears it; 0 = always */
    uint64_t scratch;   /* scratch_bytes of device memory; 0 = query */
    int64_t n;          /* samples */
    uint64_t stream;
    int64_t scratch_bytes; /* out, of a query */
};

/* ---- core: required of every backend (minor 0) ---- */
/* EAGLE_BACKEND_VERSION of the header it was built from. Called first, and alone when the major does not fit. */
uint32_t eagle_backend_version(void);
/* Text of the last failed call on the calling thread, "" after one that succeeded. The backend's; valid until the next
 * call of the seam on this thread. Never NULL. */
const char* eagle_backend_last_error(void);
/* Fills *info by the output rule. INVALID_ARGUMENT for NULL or struct_size < 4. */
eagle_backend_status eagle_backend_build_info(struct eagle_backend_build_info* info);
/* OK when a device is usable; UNAVAILABLE and the reason otherwise. */
eagle_backend_status eagle_backend_probe(void);
/* Frees a buffer that the backend gave to the caller. NULL is fine. */
void eagle_backend_free(void* p);
/* Writes the EAGLE_BACKEND_CAP_* bits. INVALID_ARGUMENT for NULL. */
eagle_backend_status eagle_backend_capabilities(uint64_t* groups);
/* Writes up to cap DLPack device types to types and their full number to *count. types may be NULL with cap 0.
 * INVALID_ARGUMENT for a null count, a negative cap, or null types with cap > 0. */
eagle_backend_status eagle_backend_device_types(int32_t* types, int32_t cap, int32_t* count);

/* ---- stream (bit 0, minor 0) ---- */
/* Makes a stream; *out is the caller's until stream_release. */
eagle_backend_status eagle_backend_stream_create(const struct eagle_backend_stream_desc* desc,
                                                 eagle_backend_stream* out);
/* The raw value that launches and copies take. It dies with the handle. */
eagle_backend_status eagle_backend_stream_ptr(eagle_backend_stream h, uint64_t* stream);
/* Returns when everything put on the stream is done; reports what that work failed with. */
eagle_backend_status eagle_backend_stream_synchronize(eagle_backend_stream h);
/* Work already on the stream still runs. */
void eagle_backend_stream_release(eagle_backend_stream h);

/* ---- capturer (bit 1, minor 0) ---- */
/* Makes a recorder of desc->stream. */
eagle_backend_status eagle_backend_capturer_create(const struct eagle_backend_capturer_desc* desc,
                                                   eagle_backend_capturer* out);
/* Opens the capture on the calling thread. A second one at top level of this thread is ERROR. */
eagle_backend_status eagle_backend_capturer_begin(eagle_backend_capturer h);
/* Closes it; *out is the caller's until it is consumed or released. A capture that failed (a branch that was not
 * joined) is an error, never an empty graph. On the thread of begin. */
eagle_backend_status eagle_backend_capturer_end(eagle_backend_capturer h, eagle_backend_captured* out);
void eagle_backend_capturer_release(eagle_backend_capturer h);
/* Minors 1 to 5. The device's own handle of the graph that the open capture records into; 0 when none is open. */
eagle_backend_status eagle_backend_capturer_graph(eagle_backend_capturer h, uint64_t* graph);

/* ---- captured (bit 2, minor 0) ---- */
/* *valid is 1 while it holds a graph. */
eagle_backend_status eagle_backend_captured_is_valid(eagle_backend_captured h, int32_t* valid);
void eagle_backend_captured_release(eagle_backend_captured h);

/* ---- fork (bit 3, minor 0) ---- */
/* Makes the streams of the branches. Before capturer_begin. */
eagle_backend_status eagle_backend_fork_create(const struct eagle_backend_fork_desc* desc, eagle_backend_fork* out);
/* Every branch goes on from the origin's tip. */
eagle_backend_status eagle_backend_fork_fork(eagle_backend_fork h);
/* The origin waits for every branch. */
eagle_backend_status eagle_backend_fork_join(eagle_backend_fork h);
/* The stream of branch i; INDEX outside [0, size). */
eagle_backend_status eagle_backend_fork_branch(eagle_backend_fork h, uint64_t i, uint64_t* stream);
eagle_backend_status eagle_backend_fork_origin(eagle_backend_fork h, uint64_t* stream);
/* *forked is 1 between fork and join. */
eagle_backend_status eagle_backend_fork_forked(eagle_backend_fork h, int32_t* forked);
eagle_backend_status eagle_backend_fork_size(eagle_backend_fork h, uint64_t* n);
void eagle_backend_fork_release(eagle_backend_fork h);
/* Minors 1 to 5. Marks the tip of branch producer and writes the mark's index; at most desc.waits marks. */
eagle_backend_status eagle_backend_fork_mark(eagle_backend_fork h, uint64_t producer, uint64_t* mark);
/* Minors 1 to 5. Branch waiter goes on after that mark: one edge, no node. */
eagle_backend_status eagle_backend_fork_wait(eagle_backend_fork h, uint64_t waiter, uint64_t mark);

/* ---- conditional (bit 4, minor 0) ---- */
/* Makes a node that decides on the device, at each replay. Before capturer_begin. Kinds if_else and switch are
 * UNSUPPORTED without their option bit. */
eagle_backend_status eagle_backend_conditional_create(const struct eagle_backend_conditional_desc* desc,
                                                      eagle_backend_conditional* out);
/* Opens the body; work put on *body_stream belongs to it. */
eagle_backend_status eagle_backend_conditional_begin(eagle_backend_conditional h, uint64_t* body_stream);
/* The stream of the body, from construction on. */
eagle_backend_status eagle_backend_conditional_body_stream(eagle_backend_conditional h, uint64_t* body_stream);
eagle_backend_status eagle_backend_conditional_is_loop(eagle_backend_conditional h, int32_t* is_loop);
/* Closes the body; an empty one is INVALID_ARGUMENT. */
eagle_backend_status eagle_backend_conditional_end(eagle_backend_conditional h);
void eagle_backend_conditional_release(eagle_backend_conditional h);
/* Minors 1 to 5. The stream of an arm, made with the handle; arm 0 is the body. INDEX outside the range. */
eagle_backend_status eagle_backend_conditional_arm_stream(eagle_backend_conditional h, uint64_t arm, uint64_t* stream);
/* Minors 1 to 5. arm >= 0: nodes of that arm's body. arm -1: the nodes that set the guard, [head] or [head, tail].
 * *nodes is the caller's, freed with eagle_backend_free. */
eagle_backend_status eagle_backend_conditional_nodes(eagle_backend_conditional h, int64_t arm, uint64_t** nodes,
                                                     int64_t* count);

/* ---- attribution (bit 5, minor 0) ---- */
/* Nodes of the open capture of a stream so far, in order. *nodes is the caller's, freed with eagle_backend_free. */
eagle_backend_status eagle_backend_capture_snapshot_nodes(uint64_t stream, uint64_t** nodes, int64_t* count);
/* Whether launcher_set_node_enabled takes this node. */
eagle_backend_status eagle_backend_is_node_toggleable(uint64_t node, int32_t* toggleable);
/* Minors 1 to 5. Puts a foreign graph as one child node at the tip of the capture. conditional_body 1 refuses node
 * types that a conditional body may not hold, by name. child_graph 0 is INVALID_ARGUMENT. */
eagle_backend_status eagle_backend_capture_add_child(uint64_t stream, uint64_t child_graph, int32_t conditional_body);

/* ---- graph (bit 6, minor 0) ---- */
/* Makes a graph with one empty root node. */
eagle_backend_status eagle_backend_graph_create(const struct eagle_backend_graph_desc* desc, eagle_backend_graph* out);
/* The capture as it is. Consumes captured; an empty one is INVALID_ARGUMENT. A null out is found before the handle. */
eagle_backend_status eagle_backend_graph_from_captured(eagle_backend_captured captured, eagle_backend_graph* out);
/* Sets the stream that its launchers start on. */
eagle_backend_status eagle_backend_graph_stream(eagle_backend_graph h, uint64_t stream);
/* Appends the capture as one child node after the last. Consumes captured. */
eagle_backend_status eagle_backend_graph_add_node(eagle_backend_graph h, eagle_backend_captured captured);
/* An executable of the graph as it is; may be called again, except where conditionals allow one only: then an error. A
 * null out is found before the handle. */
eagle_backend_status eagle_backend_graph_launcher(eagle_backend_graph h, eagle_backend_launcher* out);
/* Number of nodes - 1. */
eagle_backend_status eagle_backend_graph_last_node(eagle_backend_graph h, int64_t* index);
void eagle_backend_graph_release(eagle_backend_graph h);

/* ---- launcher (bit 7, minor 0) ---- */
/* Puts one replay on the launcher's stream. */
eagle_backend_status eagle_backend_launcher_launch(eagle_backend_launcher h);
eagle_backend_status eagle_backend_launcher_synchronize(eagle_backend_launcher h);
/* Sets the stream of the replays to come. */
eagle_backend_status eagle_backend_launcher_stream(eagle_backend_launcher h, uint64_t stream);
/* Makes kernels that came in by graph_add_node fit n samples; 0 changes nothing. */
eagle_backend_status eagle_backend_launcher_set_logical_size(eagle_backend_launcher h, int64_t logical_size);
/* Kernels that set_logical_size knows; 0 for a graph from graph_from_captured. */
eagle_backend_status eagle_backend_launcher_kernel_node_count(eagle_backend_launcher h, int64_t* count);
/* Between replays only; kernel, copy and fill nodes only. */
eagle_backend_status eagle_backend_launcher_set_node_enabled(eagle_backend_launcher h, uint64_t node, int32_t enabled);
void eagle_backend_launcher_release(eagle_backend_launcher h);
/* Minors 1 to 5. params[i] is the address of argument i's new value, 0 keeps it, and so do arguments past nparams.
 * Values are copied at the call. The parameters are checked before the handle. */
eagle_backend_status eagle_backend_launcher_set_kernel_params(eagle_backend_launcher h, uint64_t node,
                                                              const uint64_t* params, int64_t nparams);
/* Minors 1 to 5. A copy node reads from src from here on; size, destination and kind stay. */
eagle_backend_status eagle_backend_launcher_set_memcpy_source(eagle_backend_launcher h, uint64_t node, uint64_t src);
/* Minors 1 to 5. Takes over a capture of the same shape; *updated 0 says that it did not fit and nothing changed. Does
 * not consume c. */
eagle_backend_status eagle_backend_launcher_exec_update(eagle_backend_launcher h, eagle_backend_captured c,
                                                        int32_t* updated);

/* ---- exec (bit 9, minor 0) ---- */
/* Launches a kernel; the backend appends int64_t base, count, n_samples to its arguments. *launched is 1, or 0 when
 * count
 * <= 0. A null function or a block of 0 is INVALID_ARGUMENT. */
eagle_backend_status eagle_backend_run_device(const struct eagle_backend_launch_desc* desc, int32_t* launched);

/* ---- device (bit 10, minor 0) ---- */
/* Fills *props by the output rule; 0 is what the device does not say. On kind cpu a CPU stands for a multiprocessor:
 * sm_count is the CPUs that this process may use, warp_size the 8-byte lanes of the widest vector, shared_mem_per_block
 * the first level's data cache and shared_mem_per_sm the second level's; the peaks, their ratio and the ridges are 0
 * unless the environment has EAGLE_CPU_CALIBRATE=1 at the first call, which then measures them for about a second. */
eagle_backend_status eagle_backend_device_props(int32_t device, struct eagle_backend_device_props* props);

/* ---- interop (bit 11, minor 0) ---- */
/* What the consumer's stream does next waits for what is on the producer's. Streams are DLPack stream codes of the
 * device type, or EAGLE_BACKEND_STREAM_NONE. Never blocks the host. A type the backend does not serve is UNSUPPORTED, a
 * code that the type forbids (any below -1; docs/python.md has the table) is INTEROP. -1 orders nothing. */
eagle_backend_status eagle_backend_fence(int32_t dl_device_type, int32_t device_id, int64_t producer, int64_t consumer);
/* Number of events made for fences since the library was loaded; they are reused. */
eagle_backend_status eagle_backend_event_pool_created(int64_t* count);

/* ---- filtering (bit 12, minor 0) ---- */
/* Writes the kept samples in ascending order. Stream-ordered, no allocation, no host read. */
eagle_backend_status eagle_backend_compact_device(struct eagle_backend_compact_desc* desc);

/* ---- bound by themselves ---- */

/* Minor 0. Moves the kept samples of every plane to the front, in place and in order, the dropped ones behind them. */
eagle_backend_status eagle_backend_reorder_device(struct eagle_backend_reorder_desc* desc);
/* Minors 1 to 5. perm, inv and (when set) index_map = identity, *count = *span = n. */
eagle_backend_status eagle_backend_reset_device(struct eagle_backend_reorder_desc* desc);
/* Minors 1 to 5. Copies within the device, in stream order. nbytes 0 is OK whatever the pointers; a null one is
 * INVALID_ARGUMENT otherwise. */
eagle_backend_status eagle_backend_memcpy_device(uint64_t dst, uint64_t src, uint64_t nbytes, uint64_t stream);
/* Minors 1 to 5. Fills with zero bytes, in stream order. nbytes 0 is OK; a null dst is INVALID_ARGUMENT. */
eagle_backend_status eagle_backend_memset_device(uint64_t dst, uint64_t nbytes, uint64_t stream);
/* Minors 1 to 5. Where an address lies: EAGLE_BACKEND_RESIDENCY_*. For set-up, not for hot paths. */
eagle_backend_status eagle_backend_pointer_residency(int32_t device, uint64_t ptr, int32_t* cls);
/* Minor 6. Copies between host and device in stream order; kind is EAGLE_BACKEND_MEMCPY_*. Ranges are distinct, or the
 * same address (nothing happens). Checked in this order: kind, nbytes 0 (OK), null pointers, device. */
eagle_backend_status eagle_backend_memcpy(uint64_t dst, uint64_t src, uint64_t nbytes, int32_t kind, uint64_t stream);
/* Minor 6. Page-locked host memory; *address is the caller's until host_free. Sets *address to 0 first; 0 bytes is 0
 * and OK. */
eagle_backend_status eagle_backend_host_alloc(uint64_t nbytes, uint64_t* address);
/* Minor 6. 0 is fine. */
eagle_backend_status eagle_backend_host_free(uint64_t address);
/* Minor 6. Runs fn(ctx) in stream order on a thread of the backend, or one that waits for the stream; a host node when
 * captured. fn must not call the seam. The caller keeps ctx alive until then. */
eagle_backend_status eagle_backend_host_func(uint64_t stream, eagle_backend_host_fn fn, void* ctx);

#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#pragma GCC visibility pop
#endif

#include "eagle_backend_sdk.h"

#endif /* EAGLE_SEAM_EAGLE_BACKEND_H */
