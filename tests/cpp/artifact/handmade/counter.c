/* A kernel that finishes: n += 1, x = a * x + b, done at n >= limit. At n == fault_at it divides by zero. */
#include "aether_abi.h"

AETHER_ABI_EXPORTS

enum { stop = 0, max_steps = 1, total = 2, fault = 3, fault_index = 4, fault_sample = 5, lock = 7, chunk = 16 };

struct call {
    int64_t *control, *next;
    const struct plane *steps, *n, *x, *fault_at, *limit, *mask;
    double a, b;
};

/* Element i of a plane. */
static int64_t* ints(const struct plane* p, int64_t i) { return (int64_t*)p->data + i * (int64_t)p->stride; }
static double* reals(const struct plane* p, int64_t i) { return (double*)p->data + i * (int64_t)p->stride; }
static uint8_t* bytes(const struct plane* p, int64_t i) { return (uint8_t*)p->data + i * (int64_t)p->stride; }

static struct call bind(void* const* params) {
    const struct plane *control = params[0], *next = params[1];
    const struct call c = {control->data,
                           next->data,
                           params[2],
                           params[3],
                           params[4],
                           params[5],
                           params[6],
                           params[7],
                           *(const double*)params[8],
                           *(const double*)params[9]};
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
    if ((double)(*n + 1) == *reals(c->fault_at, i)) {
        note_fault(c->control, i);
        return -1;
    }
    *n += 1;
    *x = c->a * *x + c->b;
    return (double)*n >= *reals(c->limit, i);
}

AETHER_ENTRY(counter_step) {
    const struct call c = bind(params);
    (void)n_samples;
    for (int64_t i = base; i < base + count; ++i) {
        if (*bytes(c.mask, i)) continue;
        const int finished = step(&c, i, ints(c.n, i), reals(c.x, i));
        if (finished < 0) continue;
        if (c.steps->data) *ints(c.steps, i) += 1;
        *bytes(c.mask, i) = (uint8_t)finished;
    }
}

/* Returns non-zero when it was told to stop. */
static int run_sample(const struct call* c, int64_t i) {
    int64_t n = *ints(c->n, i), done = *ints(c->steps, i);
    const int64_t before = done;
    double x = *reals(c->x, i);
    int finished = 0, stopped = 0;
    while (!finished && done < c->control[max_steps]) {
        if (done % 1024 == 0 && __atomic_load_n(c->control + stop, __ATOMIC_RELAXED)) {
            stopped = 1;
            break;
        }
        finished = step(c, i, &n, &x);
        if (finished >= 0) ++done;
    }
    *ints(c->n, i) = n;
    *reals(c->x, i) = x;
    *ints(c->steps, i) = done;
    *bytes(c->mask, i) = finished > 0;
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
            if (!*bytes(c.mask, i) && *ints(c.steps, i) < c.control[max_steps] && run_sample(&c, i)) return;
    }
}
