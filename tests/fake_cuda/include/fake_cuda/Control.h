// What tests ask of the fake driver beyond the driver's own functions; found by dlsym in the driver's library.
#pragma once

extern "C" {
// Calls of driver functions so far. From the n-th of them on from here, `failures` calls return `error` (a CUresult);
// n 0 = none. A call that gives something back, ends a capture or makes a context current does so all the same.
unsigned long long fake_cuda_calls(void);
void fake_cuda_fail(unsigned long long n, unsigned long long failures, int error);
// Name of the driver function that was failed last, "" when none was.
const char* fake_cuda_failed_call(void);
// How many are alive: "stream", "event", "graph", "exec", "module", "memory", "pinned", "capture", "context" (times
// that primary contexts are retained); and how many were done: "kernels", "nodes", "host functions", "launches";
// and "streams that are none", which a call was given.
long long fake_cuda_count(const char* what);
}
