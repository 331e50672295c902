// What a backend hands to the kernels of eagle_kernels.cu. Read by host and device compilers alike.
#pragma once

#ifdef __cplusplus
namespace eagle::gpu {
#endif

enum { guard_one_arm, guard_two_arms, guard_loop, guard_one_of_many };

// Cells of a conditional node; those that are not there are null.
struct GuardCells {
    unsigned long long handle;  // of the driver's condition
    const unsigned* count;
    const unsigned* baseline;
    unsigned* counter;  // of a loop: {remaining, ran}
    unsigned* brk;
    const unsigned* limit;
    unsigned kind, arms, is_negated, most_turns;
};

// Threads of a block, and samples that a block of the scan looks at: each of its warps takes scan_rounds * 32 of them.
enum { scan_threads = 256, scan_rounds = 8, scan_tile = scan_threads * scan_rounds };

// Begins the scratch of a scan; the states of its tiles follow, 8 bytes each.
struct ScanHeader {
    unsigned next_tile;  // tiles are taken in ascending order, so that each waits only for tiles that have begun
    unsigned is_active;  // 0: the call does nothing
    unsigned span;       // samples to look at
    unsigned kept;       // once the last tile is done
};

struct CompactArguments {
    ScanHeader* header;
    unsigned long long* states;
    const unsigned char* mask;
    int* index_map;
    unsigned *count, *live32, *fire;  // live32 and fire may be null
    const unsigned* span;
    float theta;
    unsigned mask_is_drop;
};

struct ReorderArguments {
    ScanHeader* header;
    unsigned long long* states;
    const unsigned char* mask;
    int* from;  // where the samples come from: the kept ones from the front, the dropped ones from the back
    int *perm, *inv, *index_map;
    unsigned *count, *span, *fire;  // fire may be null
    unsigned n, mask_is_drop;
};

#ifdef __cplusplus
}
#endif
