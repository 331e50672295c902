// The functions of one backend, typed by the seam's header.
#pragma once
#include <eagle/seam/eagle_backend.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace eagle::seam {

// One pointer for every symbol of symbols.def, by its name without the prefix; null where the backend has none.
struct Table {
#define EAGLE_SYMBOL(group, name, since, bound) decltype(&::eagle_backend_##name) name = nullptr;
#include <eagle/seam/symbols.def>
};

// One line of symbols.def, and what a table holds for it.
struct TableRow {
    std::string_view group;
    std::string_view symbol;  // with its prefix
    int since = 0;            // minor
    const void* address = nullptr;

    bool required() const { return group == "core"; }
    // By the capability bit of its group: symbols that came in later are bound by themselves.
    bool promised() const { return !required() && group != "none" && group != "sdk" && since == 0; }
};
// Every row, in the order of symbols.def.
std::vector<TableRow> rows_of(const Table& table);

}  // namespace eagle::seam

namespace eagle::detail {

class SharedFile;

// The seven that every backend has. Throws Refused naming the first that is missing.
void bind_required(seam::Table& table, const SharedFile& file);
// Every other symbol, one by one; the sdk ones only where eagle_backend_sdk_version is exported.
void bind_optional(seam::Table& table, const SharedFile& file);

}  // namespace eagle::detail
