#include "backend/Table.h"

#include <string>

#include "backend/Policy.h"
#include "backend/Refused.h"
#include "backend/SharedFile.h"

namespace eagle {
namespace {

template <class Function>
void bind(Function& slot, const detail::SharedFile& file, const char* symbol) {
    slot = reinterpret_cast<Function>(file.symbol(symbol));
}

template <class Function>
void bind_or_refuse(Function& slot, const detail::SharedFile& file, const char* symbol) {
    bind(slot, file, symbol);
    if (slot != nullptr) return;
    throw detail::Refused{
        std::string("does not export ") + symbol + ", one of the seven symbols required of every backend",
        detail::policy::required_symbols};
}

}  // namespace

std::vector<seam::TableRow> seam::rows_of(const Table& table) {
    return {
#define EAGLE_SYMBOL(group, name, since, bound) \
    TableRow{#group, "eagle_backend_" #name, since, reinterpret_cast<const void*>(table.name)},
#include <eagle/seam/symbols.def>
    };
}

void detail::bind_required(seam::Table& table, const SharedFile& file) {
    constexpr std::string_view core = "core";
#define EAGLE_SYMBOL(group, name, since, bound) \
    if (core == #group) bind_or_refuse(table.name, file, "eagle_backend_" #name);
#include <eagle/seam/symbols.def>
}

void detail::bind_optional(seam::Table& table, const SharedFile& file) {
    constexpr std::string_view core = "core";
    constexpr std::string_view sdk = "sdk";
    bind(table.sdk_version, file, "eagle_backend_sdk_version");
    const bool with_sdk = table.sdk_version != nullptr;
#define EAGLE_SYMBOL(group, name, since, bound) \
    if (core != #group && (sdk != #group || with_sdk)) bind(table.name, file, "eagle_backend_" #name);
#include <eagle/seam/symbols.def>
}

}  // namespace eagle
