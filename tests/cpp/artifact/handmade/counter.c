/* A kernel that finishes: n += 1, x = a * x + b, done at n >= limit. At n == fault_at it divides by zero. */
#include "aether_abi.h"

AETHER_ABI_EXPORTS

enum { stop = 0, max_steps = 1, total = 2, fault = 3, fault_index = 4, fault_sample = 5, lock = 7, chunk = 16 };

struct call {
    int64_t *control, *next, *steps, *n;
    double* x;
    const double *fault_at, *limit;
    uint8_t* mask;
    double a, b;
};

static void* data(void* const* params, int k) { return ((const struct plane*)params[k])->data; }

static struct call bind(void* const* params) {
    const struct call c = {data(params, 0),           data(params, 1),          data(params, 2), data(params, 3),
                           data(params, 4),           data(params, 5),          data(params, 6), data(params, 7),
                           *(const double*)params[8], *(const double*)params[9]};
    return c;
}

/* The lowest sample wins, whichever worker comes first. */
static void note_fault(int64_t* control, int64_t sample) {
    int64_t open = 0;
    while (!__atomic_compare_exchange_n(control + lock, &open, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) open = 0;
    if (control[fault] == 0 || sample < control[fault_sample]) {
        control[fault] = -1;
        control[fault_index] = 0;
        control[fault_sample] = sample;
    }
    __atomic_store_n(control + lock, 0, __ATOMIC_RELEASE);
}

/* 1 when the sample finished, 0 when it goes on, -1 for a fault, which stores nothing. */
static int step(const struct call* c, int64_t i, int64_t* n, double* x) {
    if ((double)(*n + 1) == c->fault_at[i]) {
        note_fault(c->control, i);
        return -1;
    }
    *n += 1;
    *x = c->a * *x + c->b;
    return (double)*n >= c->limit[i];
}

AETHER_ENTRY(counter_step) {
    const struct call c = bind(params);
    (void)n_samples;
    for (int64_t i = base; i < base + count; ++i) {
        if (c.mask[i]) continue;
        const int finished = step(&c, i, c.n + i, c.x + i);
        if (finished < 0) continue;
        if (c.steps) c.steps[i] += 1;
        c.mask[i] = (uint8_t)finished;
    }
}

/* Returns non-zero when it was told to stop. */
static int run_sample(const struct call* c, int64_t i) {
    int64_t n = c->n[i], done = c->steps[i];
    const int64_t before = done;
    double x = c->x[i];
    int finished = 0, stopped = 0;
    while (!finished && done < c->control[max_steps]) {
        if (done % 1024 == 0 && __atomic_load_n(c->control + stop, __ATOMIC_RELAXED)) {
            stopped = 1;
            break;
        }
        finished = step(c, i, &n, &x);
        if (finished >= 0) ++done;
    }
    c->n[i] = n;
    c->x[i] = x;
    c->steps[i] = done;
    c->mask[i] = finished > 0;
    __atomic_fetch_add(c->control + total, done - before, __ATOMIC_RELAXED);
    return stopped;
}

AETHER_ENTRY(counter_run) {
    const struct call c = bind(params);
    const int64_t end = base + count;
    (void)n_samples;
    for (;;) {
        const int64_t from = __atomic_fetch_add(c.next, chunk, __ATOMIC_RELAXED);
        if (from >= end) return;
        for (int64_t i = from; i < from + chunk && i < end; ++i)
            if (!c.mask[i] && c.steps[i] < c.control[max_steps] && run_sample(&c, i)) return;
    }
}
