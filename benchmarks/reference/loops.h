// What one thread does, over a set of vector instructions L: lane count, vectors D, masks M. Compiled once for each
// instruction set, so nothing here may have external linkage but by way of L.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace reference {

struct Euler {
    double *x, *v, *t;
    const double* omega;
    double dt, t_end;
    std::int64_t max_steps;
};
struct Rk4 {
    double *x, *v, *k;
    const double *w2, *c, *last;
    double dt;
};

// One instruction set: each loop takes the samples that it draws from `next`, up to n.
struct Loops {
    void (*euler)(const Euler&, std::atomic<std::int64_t>& next, std::int64_t n);
    void (*rk4_tiles)(const Rk4&, std::atomic<std::int64_t>& next, std::int64_t n);
    void (*rk4_refilled)(const Rk4&, std::atomic<std::int64_t>& next, std::int64_t n);
    // out, x, y of elements [from, to); `past_cache` where the instruction set has it
    void (*triad)(double* out, const double* x, const double* y, double a, std::int64_t from, std::int64_t to,
                  bool past_cache);
};

static inline void euler_plain(const Euler& p, std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; i++) {
        const double w = p.dt * p.omega[i] * p.omega[i];
        double x = p.x[i], v = p.v[i], t = p.t[i];
        for (std::int64_t s = 0; s < p.max_steps; s++) {
            const double x0 = x, v0 = v;
            x = x0 + p.dt * v0;
            v = v0 - w * x0;
            t = t + p.dt;
            if (t >= p.t_end) break;
        }
        p.x[i] = x, p.v[i] = v, p.t[i] = t;
    }
}

// One step of one sample or of a vector; D has the arithmetic operators and is made from a double.
template <class D>
inline __attribute__((always_inline)) void rk4_step(D& x, D& v, D w2, D c, double dt) {
    const D h = D(0.5 * dt), d = D(dt), sixth = D(dt / 6), two = D(2);
    const auto slope = [&](D at, D speed) __attribute__((always_inline)) { return D(-0.0) - w2 * at - c * speed; };
    const D k1x = v, k1v = slope(x, v);
    const D k2x = v + h * k1v, k2v = slope(x + h * k1x, k2x);
    const D k3x = v + h * k2v, k3v = slope(x + h * k2x, k3x);
    const D k4x = v + d * k3v, k4v = slope(x + d * k3x, k4x);
    x = x + sixth * ((k1x + two * (k2x + k3x)) + k4x);
    v = v + sixth * ((k1v + two * (k2v + k3v)) + k4v);
}
static inline void rk4_plain(const Rk4& p, std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; i++) {
        double x = p.x[i], v = p.v[i], k = p.k[i];
        do {
            rk4_step(x, v, p.w2[i], p.c[i], p.dt);
            k = k + 1;
        } while (k < p.last[i]);
        p.x[i] = x, p.v[i] = v, p.k[i] = k;
    }
}

template <class L>
struct LoopsOver {
    using D = typename L::D;
    using M = typename L::M;
    static constexpr int W = L::W, V = 4, group = W * V;
    static constexpr std::int64_t chunk = 16 * group;

    static void euler(const Euler& p, std::atomic<std::int64_t>& next, std::int64_t n) {
        for (std::int64_t i; (i = next.fetch_add(chunk)) < n;) {
            const std::int64_t end = std::min(i + chunk, n);
            for (; i + group <= end; i += group) euler_group(p, i);
            euler_plain(p, i, end);
        }
    }
    static void rk4_tiles(const Rk4& p, std::atomic<std::int64_t>& next, std::int64_t n) {
        for (std::int64_t i; (i = next.fetch_add(chunk)) < n;) {
            const std::int64_t end = std::min(i + chunk, n);
            for (; i + group <= end; i += group) rk4_group(p, i);
            rk4_plain(p, i, end);
        }
    }

    static void euler_group(const Euler& p, std::int64_t i) {
        D x[V], v[V], t[V], w[V];
        M on[V];
        const D dt(p.dt), t_end(p.t_end);
        for (int k = 0; k < V; k++) {
            x[k] = L::load(p.x + i + W * k), v[k] = L::load(p.v + i + W * k), t[k] = L::load(p.t + i + W * k);
            const D omega = L::load(p.omega + i + W * k);
            w[k] = dt * omega * omega;
            on[k] = L::all();
        }
        for (std::int64_t s = 0; s < p.max_steps; s++) {
            unsigned live = 0;
            for (int k = 0; k < V; k++) {
                const D x0 = x[k], v0 = v[k];
                x[k] = L::choose(on[k], x0 + dt * v0, x0);
                v[k] = L::choose(on[k], v0 - w[k] * x0, v0);
                t[k] = L::choose(on[k], t[k] + dt, t[k]);
                on[k] = L::and_less(on[k], t[k], t_end);
                live |= L::bits(on[k]);
            }
            if (!live) break;
        }
        for (int k = 0; k < V; k++)
            L::store(p.x + i + W * k, x[k]), L::store(p.v + i + W * k, v[k]), L::store(p.t + i + W * k, t[k]);
    }

    struct Lanes {
        D x[V], v[V], k[V], w2[V], c[V], last[V];
        M on[V];
        void step(int i, double dt) {
            D nx = x[i], nv = v[i];
            rk4_step(nx, nv, w2[i], c[i], dt);
            x[i] = L::choose(on[i], nx, x[i]);
            v[i] = L::choose(on[i], nv, v[i]);
            k[i] = L::choose(on[i], k[i] + D(1), k[i]);
            on[i] = L::and_less(on[i], k[i], last[i]);
        }
    };
    static void rk4_group(const Rk4& p, std::int64_t i) {
        Lanes s;
        for (int k = 0; k < V; k++) {
            const std::int64_t at = i + W * k;
            s.x[k] = L::load(p.x + at), s.v[k] = L::load(p.v + at), s.k[k] = L::load(p.k + at);
            s.w2[k] = L::load(p.w2 + at), s.c[k] = L::load(p.c + at), s.last[k] = L::load(p.last + at);
            s.on[k] = L::all();
        }
        for (unsigned live = 1; live;) {
            live = 0;
            for (int k = 0; k < V; k++) s.step(k, p.dt), live |= L::bits(s.on[k]);
        }
        for (int k = 0; k < V; k++) {
            const std::int64_t at = i + W * k;
            L::store(p.x + at, s.x[k]), L::store(p.v + at, s.v[k]), L::store(p.k + at, s.k[k]);
        }
    }

    // Samples of one thread, drawn in chunks.
    struct Draw {
        std::atomic<std::int64_t>& next;
        std::int64_t n, at = 0, end = 0;
        std::int64_t take() {
            if (at == end) {
                if (end < 0) return -1;
                at = next.fetch_add(256);
                if (at >= n) {
                    at = end = -1;
                    return -1;
                }
                end = std::min(at + 256, n);
            }
            return at++;
        }
    };
    static void load_lane(const Rk4& p, Lanes& s, int lane, std::int64_t i) {
        const int k = lane / W, l = lane % W;
        L::set(s.x[k], l, p.x[i]), L::set(s.v[k], l, p.v[i]), L::set(s.k[k], l, p.k[i]);
        L::set(s.w2[k], l, p.w2[i]), L::set(s.c[k], l, p.c[i]), L::set(s.last[k], l, p.last[i]);
    }
    static void store_lane(const Rk4& p, const Lanes& s, int lane, std::int64_t i) {
        const int k = lane / W, l = lane % W;
        p.x[i] = L::get(s.x[k], l), p.v[i] = L::get(s.v[k], l), p.k[i] = L::get(s.k[k], l);
    }
    // Looks every fourth step; a lane that is done waits, masked, until then.
    static void rk4_refilled(const Rk4& p, std::atomic<std::int64_t>& next, std::int64_t n) {
        Draw draw{next, n};
        Lanes s;
        std::int64_t id[group];
        unsigned live = 0;
        for (int k = 0; k < V; k++) s.x[k] = s.v[k] = s.k[k] = s.w2[k] = s.c[k] = s.last[k] = D(0.0);
        for (int lane = 0; lane < group; lane++)
            if ((id[lane] = draw.take()) >= 0) load_lane(p, s, lane, id[lane]), live |= 1u << lane;
        for (int k = 0; k < V; k++) s.on[k] = L::from_bits(live >> (W * k));
        while (live) {
            for (int step = 0; step < 4; step++)
                for (int k = 0; k < V; k++) s.step(k, p.dt);
            unsigned on = 0;
            for (int k = 0; k < V; k++) on |= L::bits(s.on[k]) << (W * k);
            unsigned fresh = 0;
            for (unsigned done = live & ~on; done; done &= done - 1) {
                const int lane = __builtin_ctz(done);
                store_lane(p, s, lane, id[lane]);
                if ((id[lane] = draw.take()) >= 0) load_lane(p, s, lane, id[lane]), fresh |= 1u << lane;
            }
            if (on == live) continue;
            live = on | fresh;
            for (int k = 0; k < V; k++) s.on[k] = L::from_bits(live >> (W * k));
        }
    }

    static void triad(double* out, const double* x, const double* y, double a, std::int64_t from, std::int64_t to,
                      bool past_cache) {
        std::int64_t i = from;
        const D s(a);
        for (; i < to && reinterpret_cast<std::uintptr_t>(out + i) % sizeof(D) != 0; i++) out[i] = a * x[i] + y[i];
        if (past_cache)
            for (; i + W <= to; i += W) L::store_past_cache(out + i, s * L::load(x + i) + L::load(y + i));
        else
            for (; i + W <= to; i += W) L::store(out + i, s * L::load(x + i) + L::load(y + i));
        for (; i < to; i++) out[i] = a * x[i] + y[i];
        L::fence();
    }

    static constexpr Loops table() { return {euler, rk4_tiles, rk4_refilled, triad}; }
};

}  // namespace reference
