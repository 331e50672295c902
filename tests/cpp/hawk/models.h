// The finishing kernels once more, as plain loops over one sample: what the drivers are held against.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "harness.h"
#include "hawk/math.h"

namespace hawk_test {

enum class Outcome { On, Done, Fault };

// What every finishing batch has. Gaps are strides less one.
struct Batch {
    std::int64_t n;
    Column<std::int64_t> steps;
    Column<std::uint8_t> mask;
    Control control;

    Batch(std::int64_t count, int gap) : n(count), steps(count, gap), mask(count, gap ? gap + 1 : 0) {}
    bool same_marks(const Batch& b) const { return steps == b.steps && mask == b.mask; }

  protected:
    ScalarBlock control_block() { return {control.word, 8, 1, 1, 0}; }
    ScalarBlock cursor_block() { return {&control.cursor, 1, 1, 1, 0}; }
};

using Random = std::mt19937_64;
inline double uniform(Random& g, double a, double b) { return std::uniform_real_distribution<double>(a, b)(g); }

struct Oscillator : Batch {
    static constexpr const char* kernel = "oscillator";
    Column<double> t, v, x, omega;
    double dt = 1e-3, t_end = 0.4;

    Oscillator(std::int64_t count, int gap, Random& g)
        : Batch(count, gap), t(count, gap), v(count, gap), x(count, gap), omega(count, gap) {
        for (std::int64_t i = 0; i < n; i++) {
            t[i] = 0.4 - std::pow(10.0, uniform(g, -3.0, -0.4));  // from 1 to 400 steps to go
            v[i] = uniform(g, -1, 1), x[i] = uniform(g, -1, 1), omega[i] = uniform(g, 0.5, 3);
        }
    }
    Outcome advance(std::int64_t i) {
        const double x0 = x[i], v0 = v[i];
        x[i] = x0 + dt * v0;
        v[i] = v0 - dt * omega[i] * omega[i] * x0;
        t[i] += dt;
        return t[i] >= t_end ? Outcome::Done : Outcome::On;
    }
    template <class F>
    void with_arguments(F call) {
        ScalarBlock b[] = {control_block(), cursor_block(), steps.scalar(), t.scalar(),
                           v.scalar(),      x.scalar(),     omega.scalar(), mask.scalar()};
        void* a[] = {&b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &b[6], &b[7], &dt, &t_end};
        call(a);
    }
    bool same(const Oscillator& b) const {
        return same_marks(b) && t == b.t && v == b.v && x == b.x && omega == b.omega;
    }
};

struct Fall : Batch {
    static constexpr const char* kernel = "fall";
    Column<float> out, x, k;
    float floor = 0.25f;

    Fall(std::int64_t count, int gap, Random& g) : Batch(count, gap), out(count, gap), x(count, gap), k(count, gap) {
        for (std::int64_t i = 0; i < n; i++) {
            x[i] = static_cast<float>(uniform(g, 0.3, 9));
            k[i] = static_cast<float>(std::pow(10.0, uniform(g, -2.0, -0.1)));
        }
    }
    Outcome advance(std::int64_t i) {
        x[i] = x[i] - k[i] * x[i];
        out[i] = 1.0f / x[i];
        return x[i] < floor ? Outcome::Done : Outcome::On;
    }
    template <class F>
    void with_arguments(F call) {
        ScalarBlock b[] = {control_block(), cursor_block(), steps.scalar(), x.scalar(), k.scalar(), mask.scalar()};
        VectorBlock o = out.vector();
        void* a[] = {&b[0], &b[1], &b[2], &b[3], &o, &b[4], &b[5], &floor};
        call(a);
    }
    bool same(const Fall& b) const { return same_marks(b) && out == b.out && x == b.x && k == b.k; }
};

struct Mixed : Batch {
    static constexpr const char* kernel = "mixed";
    Column<std::int64_t> number, most;
    Column<std::uint8_t> odd;
    Column<float> x;

    Mixed(std::int64_t count, int gap, Random& g)
        : Batch(count, gap), number(count, gap), most(count, gap), odd(count, gap), x(count, gap) {
        for (std::int64_t i = 0; i < n; i++) {
            most[i] = static_cast<std::int64_t>(std::pow(10.0, uniform(g, 0.0, 2.6)));
            odd[i] = g() & 1;
            x[i] = static_cast<float>(uniform(g, -1, 1));
        }
    }
    Outcome advance(std::int64_t i) {
        number[i] += 1;
        odd[i] = odd[i] == 0;
        x[i] = x[i] + (odd[i] ? static_cast<float>(number[i]) : -0.5f);
        return number[i] >= most[i] ? Outcome::Done : Outcome::On;
    }
    template <class F>
    void with_arguments(F call) {
        ScalarBlock b[] = {control_block(), cursor_block(), steps.scalar(), number.scalar(),
                           odd.scalar(),    x.scalar(),     most.scalar(),  mask.scalar()};
        void* a[] = {&b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &b[6], &b[7]};
        call(a);
    }
    bool same(const Mixed& b) const {
        return same_marks(b) && number == b.number && odd == b.odd && x == b.x && most == b.most;
    }
};

struct Whole : Batch {
    static constexpr const char* kernel = "whole";
    Column<std::int64_t> number, sum, most;

    Whole(std::int64_t count, int gap, Random& g)
        : Batch(count, gap), number(count, gap), sum(count, gap), most(count, gap) {
        for (std::int64_t i = 0; i < n; i++) {
            most[i] = static_cast<std::int64_t>(std::pow(10.0, uniform(g, 0.0, 2.6)));
            sum[i] = static_cast<std::int64_t>(g());
        }
    }
    Outcome advance(std::int64_t i) {
        number[i] += 1;
        const auto tripled = static_cast<std::uint64_t>(sum[i]) * 3;
        sum[i] = static_cast<std::int64_t>(tripled + static_cast<std::uint64_t>(number[i]));
        return number[i] >= most[i] ? Outcome::Done : Outcome::On;
    }
    template <class F>
    void with_arguments(F call) {
        ScalarBlock b[] = {control_block(), cursor_block(), steps.scalar(), number.scalar(),
                           sum.scalar(),    most.scalar(),  mask.scalar()};
        void* a[] = {&b[0], &b[1], &b[2], &b[3], &b[4], &b[5], &b[6]};
        call(a);
    }
    bool same(const Whole& b) const { return same_marks(b) && number == b.number && sum == b.sum && most == b.most; }
};

struct Bounce : Batch {
    static constexpr const char* kernel = "bounce";
    Column<std::int64_t> hits, every;
    Column<double> r, v, e;
    double dt = 0.01, g = 9.81;
    std::int64_t most = 5;

    Bounce(std::int64_t count, int gap, Random& random)
        : Batch(count, gap), hits(count, gap), every(count, gap), r(count, gap, 2), v(count, gap, 2), e(count, gap) {
        for (std::int64_t i = 0; i < n; i++) {
            r.at(i, 0) = uniform(random, -1, 1), r.at(i, 1) = uniform(random, 0.01, 2);
            v.at(i, 0) = uniform(random, -1, 1), v.at(i, 1) = uniform(random, -1, 1);
            e[i] = uniform(random, 0.3, 0.9);
            every[i] = 1 + static_cast<std::int64_t>(random() % 4);
        }
    }
    Outcome advance(std::int64_t i) {
        double vx = v.at(i, 0), vh = v.at(i, 1) - g * dt, h = r.at(i, 1) + vh * dt;
        std::int64_t hit = hits[i];
        if (h < 0) {
            const double speed = std::sqrt(v.at(i, 1) * v.at(i, 1) + 2 * g * r.at(i, 1));
            const double late = dt - (speed + v.at(i, 1)) / g;
            vh = e[i] * speed - g * late;
            h = late * 0.5 * (e[i] * speed + vh);
            hit += 1;
            if (every[i] == 0) return Outcome::Fault;
            if (hit % every[i] == 0) vx = vx * hawk::cos(r.at(i, 0));
        }
        r.at(i, 0) = r.at(i, 0) + vx * dt;
        r.at(i, 1) = h;
        v.at(i, 0) = vx, v.at(i, 1) = vh;
        hits[i] = hit;
        return hit >= most ? Outcome::Done : Outcome::On;
    }
    template <class F>
    void with_arguments(F call) {
        VectorBlock rb = r.vector(), vb = v.vector();
        ScalarBlock b[] = {control_block(), cursor_block(), steps.scalar(), hits.scalar(),
                           e.scalar(),      every.scalar(), mask.scalar()};
        void* a[] = {&b[0], &b[1], &b[2], &b[3], &rb, &vb, &b[4], &b[5], &b[6], &dt, &g, &most};
        call(a);
    }
    bool same(const Bounce& b) const {
        return same_marks(b) && hits == b.hits && r == b.r && v == b.v && e == b.e && every == b.every;
    }
};

struct Totals {
    std::int64_t steps = 0;
    std::int64_t faulty = -1;  // the lowest faulty sample
};

// Every sample of [base, base + count) to its end, a fault, or `most` steps in all.
template <class Model>
Totals run_plainly(Model& b, std::int64_t base, std::int64_t count, std::int64_t most) {
    Totals t;
    for (std::int64_t i = base; i < base + count; i++) {
        if (b.mask[i]) continue;
        while (b.steps[i] < most) {
            const Outcome o = b.advance(i);
            if (o == Outcome::Fault) {
                if (t.faulty < 0) t.faulty = i;
                break;
            }
            b.steps[i]++, t.steps++;
            if (o == Outcome::Done) {
                b.mask[i] = 1;
                break;
            }
        }
    }
    return t;
}

// One step of every unmasked sample of the range.
template <class Model>
Totals step_plainly(Model& b, std::int64_t base, std::int64_t count) {
    Totals t;
    for (std::int64_t i = base; i < base + count; i++) {
        if (b.mask[i]) continue;
        const Outcome o = b.advance(i);
        if (o == Outcome::Fault) {
            if (t.faulty < 0) t.faulty = i;
            continue;
        }
        b.steps[i]++, t.steps++;
        if (o == Outcome::Done) b.mask[i] = 1;
    }
    return t;
}

}  // namespace hawk_test
