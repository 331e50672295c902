// pack() against the plainest reading of the rules, over random strided views.
#include <algorithm>
#include <optional>
#include <random>
#include <set>

#include "Fixture.h"

namespace eagle::marshal {
namespace {

struct RandomView {
    std::vector<std::int64_t> shape, strides;  // in elements
    std::int64_t offset = 0;
    double at(const std::vector<double>& memory, std::vector<std::int64_t> index) const {
        std::int64_t k = offset;
        for (std::size_t i = 0; i < index.size(); ++i) k += index[i] * strides[i];
        return memory[static_cast<std::size_t>(k)];
    }
    ArrayView view(std::vector<double>& memory) const {
        ArrayView v = ArrayView::host(memory.data() + offset, Dtype::float64, shape);
        for (std::size_t i = 0; i < strides.size(); ++i) v.strides[i] = strides[i] * 8;
        return v;
    }
    // Every byte address that an element covers, relative to memory.
    std::set<std::int64_t> elements() const {
        std::set<std::int64_t> all;
        std::vector<std::int64_t> index(shape.size(), 0);
        if (std::any_of(shape.begin(), shape.end(), [](std::int64_t n) { return n == 0; })) return all;
        for (;;) {
            std::int64_t k = offset;
            for (std::size_t i = 0; i < index.size(); ++i) k += index[i] * strides[i];
            all.insert(k);
            std::size_t axis = 0;
            while (axis < index.size() && ++index[axis] == shape[axis]) index[axis++] = 0;
            if (axis == index.size()) return all;
        }
    }
    std::int64_t count() const {
        std::int64_t n = 1;
        for (std::int64_t e : shape) n *= e;
        return n;
    }
};

constexpr std::int64_t memory_size = 4000;

// Inside a memory of memory_size elements, negative and zero strides included when `wild`.
RandomView random_view(std::mt19937& random, std::vector<std::int64_t> shape, bool wild) {
    auto draw = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    RandomView v;
    v.shape = std::move(shape);
    v.offset = draw(1500, 2000);
    for (std::size_t i = 0; i < v.shape.size(); ++i) v.strides.push_back(draw(wild ? -12 : 1, 24));
    if (draw(0, 1) == 0 && v.shape.size() == 2) {  // dense, either order, which random strides would rarely hit
        bool c_order = draw(0, 1) == 0;
        v.strides = c_order ? std::vector<std::int64_t>{v.shape[1], 1} : std::vector<std::int64_t>{1, v.shape[0]};
    }
    return v;
}

std::vector<double> numbered_memory() {
    std::vector<double> memory(memory_size);
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<double>(i);
    return memory;
}

TEST(Oracle, AVectorPlaneReadsAsTheRulesSay) {
    std::mt19937 random(7);
    std::vector<double> memory = numbered_memory();
    constexpr std::int64_t width = 3;
    Signature s = kernel({vector_in("v", width)});
    int views = 0, copies = 0, refusals = 0;
    for (int round = 0; round < 4000; ++round) {
        std::int64_t a = std::uniform_int_distribution<std::int64_t>(1, 5)(random);
        std::int64_t b = std::uniform_int_distribution<std::int64_t>(1, 5)(random);
        RandomView v = random_view(random, {a, b}, true);
        ArrayView view = v.view(memory);
        bool last = a == width, first = b == width;
        if (last == first) {  // no reading, or two
            EXPECT_THROW(pack_named(s, {{"v", view}}, converting()), LayoutError);
            ++refusals;
            continue;
        }
        Packed p = pack_named(s, {{"v", view}}, converting());
        std::int64_t samples = last ? b : a;
        ASSERT_EQ(p.samples(), samples);
        for (std::int64_t i = 0; i < samples; ++i)
            for (std::int64_t c = 0; c < width; ++c) {
                double expected = last ? v.at(memory, {c, i}) : v.at(memory, {i, c});
                ASSERT_EQ(read_vector(p, 0, static_cast<std::uint64_t>(c), static_cast<std::uint64_t>(i)), expected);
            }
        // In place exactly when the rules allow it.
        std::int64_t component = v.strides[last ? 0 : 1], sample = v.strides[last ? 1 : 0];
        bool positive = component > 0 && (samples == 1 || sample > 0);
        bool in_place = positive && (last || samples == 1 || (sample == 1 && component == samples));
        ASSERT_EQ(block<VectorBlock>(p, 0).data == static_cast<char*>(view.data), in_place);
        ASSERT_EQ(p.notices().empty(), in_place);
        if (in_place)
            EXPECT_NO_THROW(pack_named(s, {{"v", view}}));
        else
            EXPECT_THROW(pack_named(s, {{"v", view}}), LayoutError);
        ++(in_place ? views : copies);
    }
    EXPECT_GT(views, 100);
    EXPECT_GT(copies, 100);
    EXPECT_GT(refusals, 100);
}

// Elements shared between two views, by enumeration.
bool share(const RandomView& a, const RandomView& b) {
    std::set<std::int64_t> x = a.elements(), y = b.elements();
    return std::any_of(x.begin(), x.end(), [&](std::int64_t k) { return y.count(k) != 0; });
}

TEST(Oracle, NoOverlapIsMissed) {
    std::mt19937 random(11);
    std::vector<double> memory = numbered_memory();
    Signature s = kernel({vector_state("x", 3), vector_in("y", 3)});
    int shared = 0, apart = 0, conservative = 0;
    for (int round = 0; round < 6000; ++round) {
        std::int64_t samples = std::uniform_int_distribution<std::int64_t>(4, 7)(random);
        RandomView x = random_view(random, {3, samples}, false);
        RandomView y = random_view(random, {3, samples}, false);
        if (round % 2 == 0) y.strides = x.strides;  // as views of one array have
        y.offset = x.offset + std::uniform_int_distribution<std::int64_t>(-40, 40)(random);
        bool itself = static_cast<std::int64_t>(x.elements().size()) < x.count();
        bool refused = false;
        try {
            pack_named(s, {{"x", x.view(memory)}, {"y", y.view(memory)}}, converting());
        } catch (const InvalidArgument&) {
            refused = true;
        }
        if (itself || share(x, y)) {
            ++shared;
            ASSERT_TRUE(refused) << "round " << round;
        } else {
            ++(refused ? conservative : apart);
        }
    }
    EXPECT_GT(shared, 500);
    EXPECT_GT(apart, 500);
    EXPECT_GT(conservative, 0) << "interleavings off the lattice count as overlap";
}

TEST(Oracle, ViewsOfOneArrayBySlicingAreToldApartExactly) {
    std::mt19937 random(13);
    std::vector<double> memory = numbered_memory();
    auto draw = [&](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random);
    };
    Signature s = kernel({vector_state("x", 3), vector_in("y", 3)});
    for (int round = 0; round < 3000; ++round) {
        // x and y are rectangles of 3 rows in one row-major array of 12 columns: array[r:r+3, c:c+n]
        std::int64_t n = draw(1, 6);
        RandomView x{{3, n}, {12, 1}, draw(0, 4) * 12 + draw(0, 12 - n)};
        RandomView y{{3, n}, {12, 1}, draw(0, 4) * 12 + draw(0, 12 - n)};
        if (n == 3) continue;  // (3, 3) has two readings
        bool refused = false;
        try {
            pack_named(s, {{"x", x.view(memory)}, {"y", y.view(memory)}});
        } catch (const BufferRefused&) {
            refused = true;
        }
        ASSERT_EQ(refused, share(x, y)) << "offsets " << x.offset << " and " << y.offset << ", n " << n;
    }
}

}  // namespace
}  // namespace eagle::marshal
