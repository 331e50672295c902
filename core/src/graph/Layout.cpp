// A layered layout: every edge passes the rows between its ends, and its label has a place of its own in one of them.
#include "graph/Layout.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace eagle::graph {
namespace {

constexpr std::uint32_t nothing = 0xffffffff;

// What stands in a row: a box, or an edge on its way through.
struct Element {
    double width = 0, height = 0, x = 0;  // x of the middle
    std::uint32_t row = 0;
    std::uint32_t box = nothing, edge = nothing;
    std::vector<std::uint32_t> above, below;
};

class Rows {
  public:
    explicit Rows(Layout& layout) : layout_(layout) {}

    void arrange() {
        rank();
        fill_rows();
        order();
        place();
        straighten();
        write();
    }

  private:
    // Boxes stand in even rows, labels between them.
    void rank() {
        const std::size_t n = layout_.boxes.size();
        std::vector<std::uint32_t> first(n, 0), inputs(n, 0), outputs(n, 0);
        for (const auto& e : layout_.edges) ++inputs[e.to], ++outputs[e.from];
        std::vector<std::vector<std::uint32_t>> from(n);
        for (const auto& e : layout_.edges) from[e.to].push_back(e.from);
        for (std::size_t b = 0; b < n; ++b)
            for (std::uint32_t f : from[b]) first[b] = std::max(first[b], first[f] + 2);
        // What nothing comes before moves down to what comes after it.
        std::vector<std::uint32_t> lowest(n, nothing);
        for (const auto& e : layout_.edges) lowest[e.from] = std::min(lowest[e.from], first[e.to]);
        std::uint32_t alone = 0;
        for (std::size_t b = 0; b < n; ++b) {
            if (inputs[b] == 0 && lowest[b] != nothing) first[b] = lowest[b] - 2;
            // A crowd without edges fills rows rather than one endless line.
            if (inputs[b] == 0 && outputs[b] == 0) first[b] = alone++ / 8 * 2;
        }
        row_of_ = std::move(first);
    }

    void fill_rows() {
        for (std::uint32_t b = 0; b < layout_.boxes.size(); ++b)
            add({layout_.boxes[b].width, layout_.boxes[b].height, 0, row_of_[b], b, nothing, {}, {}});
        for (std::uint32_t e = 0; e < layout_.edges.size(); ++e) {
            const auto& edge = layout_.edges[e];
            std::uint32_t last = edge.from;
            for (std::uint32_t row = row_of_[edge.from] + 1; row <= row_of_[edge.to]; ++row) {
                const bool label = row == row_of_[edge.from] + 1 && edge.label_width > 0;
                const std::uint32_t next = row == row_of_[edge.to] ? edge.to
                                                                   : add({label ? edge.label_width : 6,
                                                                          label ? Layout::label_height : 0,
                                                                          0,
                                                                          row,
                                                                          nothing,
                                                                          e,
                                                                          {},
                                                                          {}});
                elements_[last].below.push_back(next);
                elements_[next].above.push_back(last);
                last = next;
            }
        }
    }

    std::uint32_t add(Element element) {
        if (element.row >= rows_.size()) rows_.resize(element.row + 1);
        rows_[element.row].push_back(static_cast<std::uint32_t>(elements_.size()));
        elements_.push_back(std::move(element));
        return static_cast<std::uint32_t>(elements_.size() - 1);
    }

    // Each row sorted by the mean place of its neighbours, downwards and upwards in turn; the best order is kept.
    void order() {
        auto best = rows_;
        std::size_t least = crossings();
        for (int sweep = 0; sweep < 12 && least != 0; ++sweep) {
            const bool down = sweep % 2 == 0;
            for (std::size_t i = 1; i < rows_.size(); ++i) sort_row(down ? i : rows_.size() - 1 - i, down);
            const std::size_t now = crossings();
            if (now < least) {
                least = now;
                best = rows_;
            }
        }
        rows_ = std::move(best);
    }

    std::vector<std::size_t> places() const {
        std::vector<std::size_t> at(elements_.size());
        for (const auto& row : rows_)
            for (std::size_t i = 0; i < row.size(); ++i) at[row[i]] = i;
        return at;
    }

    void sort_row(std::size_t row, bool down) {
        std::vector<std::pair<double, std::uint32_t>> keyed;
        const std::size_t other = down ? row - 1 : row + 1;
        std::vector<std::size_t>& at = place_;
        at.resize(elements_.size());
        for (std::size_t i = 0; i < rows_[other].size(); ++i) at[rows_[other][i]] = i;
        for (std::size_t i = 0; i < rows_[row].size(); ++i) {
            const Element& e = elements_[rows_[row][i]];
            const auto& beside = down ? e.above : e.below;
            double mean = static_cast<double>(i);
            if (!beside.empty()) {
                mean = 0;
                for (std::uint32_t b : beside) mean += static_cast<double>(at[b]);
                mean /= static_cast<double>(beside.size());
            }
            keyed.emplace_back(mean, rows_[row][i]);
        }
        std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < keyed.size(); ++i) rows_[row][i] = keyed[i].second;
    }

    std::size_t crossings() const {
        const auto at = places();
        std::size_t n = 0;
        for (const auto& row : rows_) {
            std::vector<std::size_t> ends;
            for (std::uint32_t e : row) {
                std::vector<std::size_t> mine;
                for (std::uint32_t b : elements_[e].below) mine.push_back(at[b]);
                std::sort(mine.begin(), mine.end());
                ends.insert(ends.end(), mine.begin(), mine.end());
            }
            // Rows with more edges than a picture can show are taken as they come.
            if (ends.size() > 2000) continue;
            for (std::size_t i = 0; i < ends.size(); ++i)
                for (std::size_t j = i + 1; j < ends.size(); ++j) n += ends[j] < ends[i];
        }
        return n;
    }

    // Every element as near to its neighbours' middle as the order of its row and the gaps allow.
    void place() {
        for (auto& row : rows_) spread(row, [this](const Element& e) { return e.x; });
        for (int round = 0; round < 24; ++round) {
            const bool down = round % 2 == 0;
            for (std::size_t i = 0; i < rows_.size(); ++i)
                spread(rows_[down ? i : rows_.size() - 1 - i], [this](const Element& e) { return wanted(e); });
        }
    }

    double wanted(const Element& e) const {
        double sum = 0, weight = 0;
        for (const auto* beside : {&e.above, &e.below})
            for (std::uint32_t b : *beside) {
                sum += elements_[b].x;
                weight += 1;
            }
        return weight == 0 ? e.x : sum / weight;
    }

    // Least squares under the order: neighbours that would overlap are moved together, as one block.
    template <class Wish>
    void spread(const std::vector<std::uint32_t>& row, Wish wish) {
        struct Run {
            double sum, weight;
            std::size_t count;
            double mean() const { return sum / weight; }
        };
        std::vector<double> shift(row.size(), 0);
        for (std::size_t i = 1; i < row.size(); ++i)
            shift[i] = shift[i - 1] + (elements_[row[i - 1]].width + elements_[row[i]].width) / 2 + Layout::gap;
        std::vector<Run> runs;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const Element& e = elements_[row[i]];
            // What passes through a row should pass straight.
            const double weight = e.edge != nothing ? 4 : 1;
            runs.push_back({(wish(e) - shift[i]) * weight, weight, 1});
            while (runs.size() > 1 && runs[runs.size() - 2].mean() >= runs.back().mean()) {
                const Run last = runs.back();
                runs.pop_back();
                runs.back() = {runs.back().sum + last.sum, runs.back().weight + last.weight,
                               runs.back().count + last.count};
            }
        }
        std::size_t i = 0;
        for (const Run& run : runs)
            for (std::size_t k = 0; k < run.count; ++k, ++i) elements_[row[i]].x = run.mean() + shift[i];
    }

    // Where an edge passes several rows, one place for as many of them as have room there.
    void straighten() {
        const auto at = places();
        for (std::uint32_t box = 0; box < layout_.boxes.size(); ++box)
            for (std::uint32_t e : elements_[box].below) {
                std::vector<std::uint32_t> chain;
                for (; elements_[e].box == nothing; e = elements_[e].below.front()) chain.push_back(e);
                for (std::size_t i = 0; i < chain.size();) i = align(chain, i, at);
            }
    }

    // Aligns the longest part of the chain from `first` on that can be, and gives where it ends.
    std::size_t align(const std::vector<std::uint32_t>& chain, std::size_t first, const std::vector<std::size_t>& at) {
        double low = -1e300, high = 1e300, sum = 0;
        std::size_t end = first;
        for (; end < chain.size(); ++end) {
            const auto [from, to] = room(chain[end], at);
            if (std::max(low, from) > std::min(high, to)) break;
            low = std::max(low, from);
            high = std::min(high, to);
            sum += elements_[chain[end]].x;
        }
        // A place of its own it always has.
        end = std::max(end, first + 1);
        if (end - first > 1) {
            const double mean = sum / static_cast<double>(end - first);
            for (std::size_t i = first; i < end; ++i) elements_[chain[i]].x = std::max(low, std::min(high, mean));
        }
        return end;
    }

    // Where the middle of an element may be without touching its neighbours in the row.
    std::pair<double, double> room(std::uint32_t element, const std::vector<std::size_t>& at) const {
        const Element& e = elements_[element];
        const auto& row = rows_[e.row];
        double low = -1e300, high = 1e300;
        if (at[element] > 0) {
            const Element& left = elements_[row[at[element] - 1]];
            low = left.x + (left.width + e.width) / 2 + Layout::gap;
        }
        if (at[element] + 1 < row.size()) {
            const Element& right = elements_[row[at[element] + 1]];
            high = right.x - (right.width + e.width) / 2 - Layout::gap;
        }
        return {low, high};
    }

    void write() {
        double left = 1e300, right = -1e300;
        for (const Element& e : elements_) {
            left = std::min(left, e.x - e.width / 2);
            right = std::max(right, e.x + e.width / 2);
        }
        std::vector<double> top(rows_.size()), bottom(rows_.size());
        double y = 0;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            double height = 0;
            for (std::uint32_t e : rows_[r]) height = std::max(height, elements_[e].height);
            top[r] = y;
            bottom[r] = y + height;
            y += height + Layout::row_gap;
        }
        layout_.width = right - left;
        layout_.height = rows_.empty() ? 0 : bottom.back();
        for (Element& e : elements_) e.x -= left;
        for (std::uint32_t b = 0; b < layout_.boxes.size(); ++b) {
            layout_.boxes[b].x = elements_[b].x - elements_[b].width / 2;
            layout_.boxes[b].y = top[elements_[b].row];
        }
        for (std::uint32_t b = 0; b < layout_.boxes.size(); ++b) route(b, top, bottom);
    }

    // The edges that leave a box, side by side along its lower side.
    void route(std::uint32_t box, const std::vector<double>& top, const std::vector<double>& bottom) {
        const auto leaves = ports(box, elements_[box].below);
        std::size_t out = 0;
        for (auto& edge : layout_.edges) {
            if (edge.from != box) continue;
            const double begin = leaves[out];
            std::uint32_t at = elements_[box].below[out++];
            edge.points = {{begin, layout_.boxes[box].y + layout_.boxes[box].height},
                           {begin, bottom[elements_[box].row]}};
            std::uint32_t last = box;
            while (elements_[at].box == nothing) {
                const Element& e = elements_[at];
                if (edge.points.size() == 2) edge.label = {e.x, (top[e.row] + bottom[e.row]) / 2};
                edge.points.push_back({e.x, top[e.row]});
                edge.points.push_back({e.x, bottom[e.row]});
                last = at;
                at = e.below.front();
            }
            const auto& above = elements_[at].above;
            const auto arrives = ports(at, above);
            const auto which = static_cast<std::size_t>(std::find(above.begin(), above.end(), last) - above.begin());
            edge.points.push_back({arrives[which], top[elements_[at].row]});
        }
    }

    // Where edges meet a side of a box, from left to right as their other ends are.
    std::vector<double> ports(std::uint32_t box, const std::vector<std::uint32_t>& others) const {
        std::vector<std::size_t> order(others.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return elements_[others[a]].x < elements_[others[b]].x; });
        std::vector<double> at(others.size());
        const double step = std::min(28.0, elements_[box].width / static_cast<double>(others.size() + 1));
        for (std::size_t i = 0; i < order.size(); ++i)
            at[order[i]] =
                elements_[box].x + (static_cast<double>(i) - static_cast<double>(order.size() - 1) / 2) * step;
        return at;
    }

    Layout& layout_;
    std::vector<std::uint32_t> row_of_;
    std::vector<Element> elements_;
    std::vector<std::vector<std::uint32_t>> rows_;
    std::vector<std::size_t> place_;
};

}  // namespace

void Layout::arrange() { Rows(*this).arrange(); }

}  // namespace eagle::graph
