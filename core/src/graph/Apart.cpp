#include "graph/Apart.h"

#include <algorithm>
#include <array>
#include <bit>

namespace eagle::graph {
namespace {

// Uses of items as columns of one pass over the nodes; nodes are counted from the first of the stretch.
struct Column {
    std::uint32_t item, node;
};

// For every node, which of the columns' nodes are its ancestors.
class Reach {
  public:
    using Bits = AncestorBlock::Bits;
    Reach(std::uint32_t first, std::uint32_t count, const LocalEdges& edges, std::span<const Column> columns)
        : first_(first), bits_(count) {
        std::vector<Bits> own(count);
        for (std::size_t c = 0; c < columns.size(); ++c) own[columns[c].node][c / 64] |= std::uint64_t{1} << c % 64;
        for (std::uint32_t n = 0; n < count; ++n)
            for (std::uint32_t before : edges.before(first + n)) {
                if (before < first) continue;
                const std::uint32_t b = before - first;
                for (std::size_t w = 0; w < bits_[n].size(); ++w) bits_[n][w] |= bits_[b][w] | own[b][w];
            }
    }
    // Columns that come before all of the nodes.
    Bits before_all(std::span<const std::uint32_t> nodes) const {
        Bits all;
        all.fill(~std::uint64_t{0});
        for (std::uint32_t n : nodes)
            for (std::size_t w = 0; w < all.size(); ++w) all[w] &= bits_[n - first_][w];
        return all;
    }

  private:
    std::uint32_t first_;
    std::vector<Bits> bits_;
};

// Items of which a column does not come before the row's item.
void clear_row(std::uint64_t* row, std::span<const Column> columns, const Reach::Bits& before) {
    for (std::size_t w = 0; w * 64 < columns.size(); ++w)
        for (std::uint64_t missing = ~before[w]; missing != 0; missing &= missing - 1) {
            const std::size_t c = w * 64 + static_cast<std::size_t>(std::countr_zero(missing));
            if (c >= columns.size()) break;
            row[columns[c].item / 64] &= ~(std::uint64_t{1} << columns[c].item % 64);
        }
}

using Square = std::array<std::uint64_t, 64>;

// Mirrors 64 rows of 64 bits at their diagonal: quarters of ever smaller squares change places.
void mirror(Square& rows) {
    std::uint64_t mask = 0xffffffff;
    for (std::size_t half = 32; half != 0; half /= 2, mask ^= mask << half)
        for (std::size_t k = 0; k < 64; k = (k + half + 1) & ~half) {
            const std::uint64_t swapped = (rows[k] >> half ^ rows[k + half]) & mask;
            rows[k] ^= swapped << half;
            rows[k + half] ^= swapped;
        }
}

// Every bit becomes itself or its mirror image, in squares, so that both lie in the cache.
void either_way_round(std::vector<std::uint64_t>& bits, std::size_t size, std::size_t stride) {
    const auto load = [&](std::size_t row, std::size_t word) {
        Square square{};
        for (std::size_t k = 0; k < 64 && row * 64 + k < size; ++k) square[k] = bits[(row * 64 + k) * stride + word];
        return square;
    };
    const auto add = [&](std::size_t row, std::size_t word, const Square& square) {
        for (std::size_t k = 0; k < 64 && row * 64 + k < size; ++k) bits[(row * 64 + k) * stride + word] |= square[k];
    };
    for (std::size_t i = 0; i < stride; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            Square upper = load(j, i), lower = load(i, j);
            mirror(upper);
            mirror(lower);
            add(i, j, upper);
            if (i != j) add(j, i, lower);
        }
}

}  // namespace

Apart::Apart(std::uint32_t first, std::uint32_t count, const LocalEdges& edges, std::span<const Part> parts)
    : stride_((parts.size() + 63) / 64), bits_(parts.size() * stride_, ~std::uint64_t{0}) {
    std::vector<Column> columns;
    for (std::uint32_t i = 0; i < parts.size(); ++i)
        for (std::uint32_t n : parts[i].nodes) columns.push_back({i, n - first});
    // Row j, column i: all of part i comes before all of part j.
    for (std::size_t low = 0; low < columns.size(); low += AncestorBlock::width) {
        const auto some =
            std::span(columns).subspan(low, std::min<std::size_t>(AncestorBlock::width, columns.size() - low));
        const Reach reach(first, count, edges, some);
        for (std::size_t j = 0; j < parts.size(); ++j)
            clear_row(&bits_[j * stride_], some, reach.before_all(parts[j].nodes));
    }
    keep_possible(parts);
    either_way_round(bits_, parts.size(), stride_);
}

// Nothing comes before an item that was in use before the stretch, nor after one that is in use behind it.
void Apart::keep_possible(std::span<const Part> parts) {
    std::vector<std::uint64_t> ending(stride_, 0);
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts[i].ends) ending[i / 64] |= std::uint64_t{1} << i % 64;
    for (std::size_t j = 0; j < parts.size(); ++j)
        for (std::size_t w = 0; w < stride_; ++w) bits_[j * stride_ + w] &= parts[j].begins ? ending[w] : 0;
}

}  // namespace eagle::graph
