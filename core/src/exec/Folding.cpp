#include "exec/Folding.h"

#include <eagle/Error.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "exec/Blocks.h"
#include "lowering/KernelCall.h"
#include "lowering/builtin/entries.h"
#include "ranks/Exchanges.h"
#include "ranks/Gather.h"

namespace eagle::exec {
namespace {

std::int32_t code_of(const std::string& operation) {
    if (operation == "sum") return 0;
    if (operation == "max") return 1;
    return operation == "land" ? 3 : 4;
}

// What a sample that does not run leaves in the fold.
template <class T>
T identity(const std::string& operation) {
    if (operation == "sum") return T{0};
    if (operation != "max") return T{1};
    return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                : std::numeric_limits<T>::lowest();
}

template <class T>
void put_identity(unsigned char* pattern, const std::string& operation) {
    const T value = identity<T>(operation);
    std::memcpy(pattern, &value, sizeof value);
}

// As a pattern of dtype_size(dtype) bytes.
void put_identity(unsigned char* pattern, Dtype dtype, const std::string& operation) {
    switch (dtype) {
        case Dtype::float64:
            return put_identity<double>(pattern, operation);
        case Dtype::float32:
            return put_identity<float>(pattern, operation);
        case Dtype::int64:
            return put_identity<std::int64_t>(pattern, operation);
        case Dtype::int32:
            return put_identity<std::int32_t>(pattern, operation);
        case Dtype::uint32:
            return put_identity<std::uint32_t>(pattern, operation);
        case Dtype::boolean:
            break;
    }
    put_identity<std::uint8_t>(pattern, operation);
}

std::int64_t blocks_of(std::int64_t n) { return (n + fold_block - 1) / fold_block; }

bool masked(const Signature& signature) {
    return std::ranges::any_of(signature.parameters, [](const Parameter& p) { return p.role == Role::terminated; });
}

}  // namespace

Reducer::Reducer(const Kernel& kernel, std::int32_t device)
    : kernel_(kernel),
      device_(device),
      builtin_(kernel.backend(), device),
      reduce_(builtin_.function(builtin::Reduce::entry)),
      fill_(builtin_.function(builtin::Fill::entry)) {
    const Signature& signature = kernel.signature();
    results_.kernel = signature.kernel;
    results_.scalar = signature.scalar;
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
        if (signature.parameters[i].role != Role::out) continue;
        results_.parameters.push_back(signature.parameters[i]);
        planes_.push_back(i);
    }
}

struct Folding::Row {
    builtin::Reduce blocks{}, whole{};
};

std::shared_ptr<void> Folding::Values::allocate(std::size_t index, const Parameter& parameter,
                                                std::span<const std::int64_t> shape, std::size_t) {
    const Kernel& kernel = reducer_.kernel();
    Array array = Array::empty(shape, parameter.dtype, kernel.backend(), reducer_.device());
    made.emplace_back(index, array);
    return {array.owner(), array.view().data};
}

Folding::Folding(std::shared_ptr<const Reducer> reducer, const Arguments& arguments, marshal::Options options)
    : reducer_(std::move(reducer)), values_(*reducer_) {
    const Signature& signature = reducer_->results();
    options.layout = SamplesAxis::unspecified;
    std::vector<std::string_view> names;
    std::vector<Value> given;
    for (const auto& [name, value] : arguments) {
        if (signature.find(name) < 0) continue;
        names.push_back(name);
        given.push_back(value);
    }
    results_ = marshal::pack(signature, names, given, options);
    if (!names.empty() && !results_.one_sample())
        throw LayoutError("kernel '" + signature.kernel + "' folds its samples to one value, and '" +
                          std::string(names.front()) + "' was given for " + std::to_string(results_.samples()) +
                          " of them; give it the shape of one sample");
}

Arguments Folding::rest(const Arguments& arguments) const {
    Arguments out;
    for (const auto& argument : arguments)
        if (reducer_->results().find(argument.first) < 0) out.push_back(argument);
    return out;
}

std::vector<Folding::Row> Folding::rows(std::int64_t n) {
    const std::int64_t blocks = blocks_of(n);
    const Signature& signature = reducer_->results();
    std::vector<Row> rows;
    blocks_.clear();
    for (std::size_t k = 0; k < signature.parameters.size(); ++k) {
        const Parameter& parameter = signature.parameters[k];
        const auto item = static_cast<std::int64_t>(dtype_size(parameter.dtype));
        const auto width = static_cast<std::int64_t>(parameter.width());
        const auto value =
            std::ranges::find(values_.made, reducer_->planes()[k], &std::pair<std::size_t, Array>::first);
        const Array& room = blocks_.emplace_back(
            Array::empty({width, blocks}, parameter.dtype, reducer_->kernel().backend(), reducer_->device()));
        const ArrayView result = view_of_block(parameter, results_, k);
        for (std::int64_t c = 0; c < width; ++c) {
            Row& row = rows.emplace_back();
            row.blocks.from =
                reinterpret_cast<std::uint64_t>(value->second.view().data) + static_cast<std::uint64_t>(c * n * item);
            row.blocks.to =
                reinterpret_cast<std::uint64_t>(room.view().data) + static_cast<std::uint64_t>(c * blocks * item);
            row.blocks.n = n;
            row.blocks.block = fold_block;
            row.blocks.fold = code_of(reducer_->kernel().operation());
            row.blocks.from_type = row.blocks.to_type = static_cast<std::int32_t>(parameter.dtype);
            row.whole = row.blocks;
            row.whole.from = row.blocks.to;
            row.whole.to =
                reinterpret_cast<std::uint64_t>(result.data) + static_cast<std::uint64_t>(c * result.strides[0]);
            row.whole.n = row.whole.block = blocks;
        }
    }
    return rows;
}

template <class T>
void Folding::put(std::uint64_t function, const T& argument, const Partition& part, std::uint64_t stream) const {
    const void* const params[] = {&argument};
    const std::uint64_t size = sizeof argument;
    lowering::KernelCall call;
    call.function = function;
    call.part = part;
    call.params = params;
    call.sizes = &size;
    call.count = 1;
    if constexpr (std::is_same_v<T, builtin::Reduce>)
        if (!reducer_->kernel().backend().takes_host_files()) call.block = T::threads;
    call.put(reducer_->kernel().backend(), reducer_->device(), stream);
}

void Folding::clear(const Partition& mine, Launcher& launcher) {
    const Kernel& kernel = reducer_->kernel();
    if (!masked(kernel.signature()) || mine.count == 0) return;
    for (const auto& [index, array] : values_.made) {
        const Parameter& parameter = kernel.signature().parameters[index];
        builtin::Fill fill{};
        fill.size = dtype_size(parameter.dtype);
        put_identity(fill.pattern, parameter.dtype, kernel.operation());
        for (std::uint32_t c = 0; c < parameter.width(); ++c) {
            fill.to = reinterpret_cast<std::uint64_t>(array.view().data) +
                      c * static_cast<std::uint64_t>(mine.n_samples) * fill.size;
            put(reducer_->fill(), fill, mine, launcher.stream().native());
        }
    }
}

void Folding::fold_blocks(std::span<const Row> rows, const Partition& mine, Launcher& launcher) const {
    if (mine.count > 0)
        for (const Row& row : rows) put(reducer_->reduce(), row.blocks, mine, launcher.stream().native());
}

void Folding::fold_whole(std::span<const Row> rows, Launcher& launcher) {
    for (const Row& row : rows) put(reducer_->reduce(), row.whole, Partition::whole(1), launcher.stream().native());
    launcher.synchronize();
    results_.copy_back();
}

void Folding::fold(std::int64_t n, Launcher& launcher) {
    const std::vector<Row> all = rows(n);
    fold_blocks(all, Partition::whole(blocks_of(n)), launcher);
    fold_whole(all, launcher);
}

void Folding::fold(std::int64_t n, Launcher& launcher, const RankPartition& ranks, ranks::Exchanges& exchanges) {
    std::vector<Row> all;
    std::vector<Partition> parts;
    std::vector<ranks::Rows> rooms;
    exchanges.prepare([&] {
        all = rows(n);
        parts = ranks.parts(blocks_of(n));
        fold_blocks(all, parts[static_cast<std::size_t>(ranks.rank())], launcher);
        launcher.synchronize();
        for (const Array& room : blocks_) rooms.push_back(ranks::rows_of(room.view(), "the results of blocks"));
    });
    ranks::gather(ranks.state(), exchanges, rooms, parts);
    exchanges.prepare([&] { fold_whole(all, launcher); });
}

}  // namespace eagle::exec
