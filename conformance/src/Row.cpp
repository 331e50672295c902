#include <eagle/conformance/Row.h>

#include <algorithm>
#include <set>
#include <utility>

namespace eagle::conformance {
namespace {

std::vector<Row>& registered() {
    static std::vector<Row> rows;
    return rows;
}

// Where memory of the device comes from, and how the host reads and writes it.
constexpr Symbol for_memory[] = {Symbol::stream_create, Symbol::stream_synchronize, Symbol::memcpy,
                                 Symbol::sdk_device_alloc, Symbol::sdk_device_free};
constexpr Symbol for_kernels[] = {Symbol::sdk_module_load, Symbol::sdk_module_function};

std::size_t rank_of(std::string_view group) {
    const auto& groups = row_groups();
    return static_cast<std::size_t>(std::find(groups.begin(), groups.end(), group) - groups.begin());
}

bool well_named(const std::string& name) {
    return rank_of(std::string_view(name).substr(0, name.find('-'))) < row_groups().size() && name.back() != '-' &&
           name.find('-') != std::string::npos &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

std::string why_absent(Symbol symbol, const Facts& facts) {
    if (!facts.has(symbol)) return "eagle_backend_" + std::string(name_of(symbol)) + " is not exported";
    if (!facts.provides(symbol)) return "the bit of group " + std::string(group_of(symbol)) + " is clear";
    if (group_of(symbol) == "sdk" && !facts.has(Symbol::sdk_version)) {
        return "eagle_backend_sdk_version is not exported, so that no symbol of sdk is bound";
    }
    return "";
}

// Either launches.
std::string why_no_launch(const Facts& facts) {
    return why_absent(Symbol::sdk_launch, facts).empty() ? "" : why_absent(Symbol::run_device, facts);
}

template <class Symbols>
void add_symbols(std::vector<Symbol>& all, const Symbols& more) {
    all.insert(all.end(), std::begin(more), std::end(more));
}

}  // namespace

RowRegistration::RowRegistration(Row row) { registered().push_back(std::move(row)); }

std::string_view Row::group() const { return std::string_view(name).substr(0, name.find('-')); }

const std::vector<std::string_view>& row_groups() {
    static const std::vector<std::string_view> groups{
        "core",     "stream",   "device", "sdk",         "memory",      "exec",  "interop",  "filtering",
        "capturer", "captured", "fork",   "conditional", "attribution", "graph", "launcher", "program"};
    return groups;
}

std::vector<Row> all_rows() {
    std::vector<Row> rows = registered();
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return std::pair(rank_of(a.group()), std::string_view(a.name)) <
               std::pair(rank_of(b.group()), std::string_view(b.name));
    });
    return rows;
}

std::vector<std::string> trouble_of_rows(const std::vector<Row>& rows) {
    std::vector<std::string> trouble;
    std::set<std::string> names;
    std::set<Symbol> covered;
    for (const Row& row : rows) {
        const std::string at = std::string(row.file) + ":" + std::to_string(row.line) + ": ";
        if (!well_named(row.name)) trouble.push_back(at + "'" + row.name + "' is no name of a row: <group>-<what>");
        if (!names.insert(row.name).second) trouble.push_back(at + "the row '" + row.name + "' stands twice");
        covered.insert(row.covers.begin(), row.covers.end());
    }
    for (std::size_t i = 0; i < symbol_count; ++i) {
        const auto symbol = static_cast<Symbol>(i);
        if (covered.count(symbol) == 0) {
            trouble.push_back("no row covers eagle_backend_" + std::string(name_of(symbol)) + " (group " +
                              std::string(group_of(symbol)) + ")");
        }
    }
    return trouble;
}

std::string absent_for(const Row& row, const Facts& facts) {
    std::vector<Symbol> symbols = row.covers;
    add_symbols(symbols, row.needs);
    if (row.memory && !facts.is_host_kind()) add_symbols(symbols, for_memory);
    if (row.kernels) add_symbols(symbols, for_kernels);
    for (const Symbol symbol : symbols) {
        const std::string why = why_absent(symbol, facts);
        if (!why.empty()) return why;
    }
    if (row.kernels && !why_no_launch(facts).empty()) return why_no_launch(facts);
    for (std::uint64_t bit = 1; bit != 0; bit <<= 1) {
        if ((row.bits & bit) != 0 && (facts.capabilities & bit) == 0)
            return "the bit " + name_of_bit(bit) + " is clear";
    }
    if (row.devices > 1 && facts.unusable.empty() && facts.devices < row.devices) {
        return "it has " + std::to_string(facts.devices) + " device(s), and the row needs " +
               std::to_string(row.devices);
    }
    return "";
}

std::string obstacle_of(const Row& row, const Facts& facts) {
    if (row.devices > 0 && !facts.unusable.empty()) return "no device is usable: " + facts.unusable;
    if (row.kernels && !facts.kernels_trouble.empty()) return "no test kernels: " + facts.kernels_trouble;
    return "";
}

}  // namespace eagle::conformance
