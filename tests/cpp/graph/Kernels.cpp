#include "Kernels.h"

#include <bit>
#include <cstring>

namespace graphtest {

using namespace eagle;
using namespace eagle::graph;

namespace {

template <class T>
T value(const void* storage) {
    T out;
    std::memcpy(&out, storage, sizeof out);
    return out;
}

// A plane of one dimension: its address and its stride, two arguments after each other.
template <class T>
struct Line {
    explicit Line(void* const* params) : first(value<std::byte*>(params[0])), stride(value<std::int64_t>(params[1])) {}
    T& operator[](std::int64_t i) const { return *reinterpret_cast<T*>(first + i * stride); }
    std::byte* first;
    std::int64_t stride;
};

void mix_entry(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    const Line<double> to(params), a(params + 2), b(params + 4);
    const auto c = value<double>(params[6]);
    for (std::int64_t i = base; i < base + count; ++i) to[i] = 0.5 * a[i] + 0.25 * b[i] + c;
}

void add_entry(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    const Line<double> to(params);
    const auto c = value<double>(params[2]);
    for (std::int64_t i = base; i < base + count; ++i) to[i] += c;
}

void draw_entry(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    if (base != 0 || count == 0) return;
    const Line<std::uint32_t> cell(params), with(params + 4);
    const Line<double> from(params + 2);
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(from[0]) * 0x9e3779b97f4a7c15u + with[0] * 0x632be5abu;
    cell[0] = static_cast<std::uint32_t>(bits >> 40) % value<std::uint32_t>(params[6]);
}

void mark_entry(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    const Line<std::uint8_t> mask(params);
    const Line<double> from(params + 2);
    for (std::int64_t i = base; i < base + count; ++i)
        mask[i] = static_cast<std::uint8_t>(std::popcount(std::bit_cast<std::uint64_t>(from[i])) & 1);
}

void gather_entry(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    const Line<double> to(params);
    const Line<std::int32_t> map(params + 2);
    const Line<std::uint32_t> kept(params + 4);
    for (std::int64_t i = base; i < base + count; ++i)
        if (i < kept[0]) to[i] = map[i];
}

template <class T>
FunctionArgument number(T of) {
    FunctionArgument argument;
    argument.bytes.resize(sizeof of);
    std::memcpy(argument.bytes.data(), &of, sizeof of);
    return argument;
}

void line(const GraphDescription& g, std::vector<FunctionArgument>& out, const char* name, PlaneRef plane, Mode mode,
          bool whole = false) {
    FunctionArgument argument;
    argument.name = name;
    argument.plane = plane;
    argument.mode = mode;
    argument.whole = whole;
    out.push_back(std::move(argument));
    out.push_back(number(g.plane(plane).strides[0]));
}

std::uint64_t handle(void (*entry)(void* const*, std::int64_t, std::int64_t, std::int64_t)) {
    return reinterpret_cast<std::uint64_t>(entry);
}

}  // namespace

NodeRef mix(GraphDescription& g, PlaneRef to, PlaneRef a, PlaneRef b, double c, const std::string& name) {
    std::vector<FunctionArgument> arguments;
    line(g, arguments, "to", to, Mode::write, true);
    line(g, arguments, "a", a, Mode::read);
    line(g, arguments, "b", b, Mode::read);
    arguments.push_back(number(c));
    return g.function(handle(mix_entry), g.plane(to).size(), std::move(arguments), name);
}

NodeRef add(GraphDescription& g, PlaneRef to, double c, const std::string& name) {
    std::vector<FunctionArgument> arguments;
    line(g, arguments, "to", to, Mode::read_write);
    arguments.push_back(number(c));
    return g.function(handle(add_entry), g.plane(to).size(), std::move(arguments), name);
}

NodeRef draw(GraphDescription& g, CellRef cell, PlaneRef from, CellRef with, std::uint32_t below,
             const std::string& name) {
    std::vector<FunctionArgument> arguments;
    line(g, arguments, "cell", cell, Mode::write, true);
    line(g, arguments, "from", from, Mode::read);
    line(g, arguments, "with", with, Mode::read);
    arguments.push_back(number(below));
    return g.function(handle(draw_entry), 1, std::move(arguments), name);
}

NodeRef mark(GraphDescription& g, PlaneRef mask, PlaneRef from, const std::string& name) {
    std::vector<FunctionArgument> arguments;
    line(g, arguments, "mask", mask, Mode::write, true);
    line(g, arguments, "from", from, Mode::read);
    return g.function(handle(mark_entry), g.plane(mask).size(), std::move(arguments), name);
}

NodeRef gather(GraphDescription& g, PlaneRef to, PlaneRef map, CellRef count, const std::string& name) {
    std::vector<FunctionArgument> arguments;
    line(g, arguments, "to", to, Mode::read_write);
    line(g, arguments, "map", map, Mode::read);
    line(g, arguments, "count", count, Mode::read);
    return g.function(handle(gather_entry), g.plane(to).size(), std::move(arguments), name);
}

}  // namespace graphtest
