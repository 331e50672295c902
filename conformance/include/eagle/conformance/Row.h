// A row: one thing that a backend must do, and what it takes to ask for it.
//
//   #include <eagle/conformance/Context.h>
//   #include <eagle/conformance/Row.h>
//
//   using namespace eagle::conformance;
//
//   EAGLE_ROW("fork-mark-edge", .covers = {Symbol::fork_mark, Symbol::fork_wait}, .needs = {Symbol::stream_create},
//             .memory = true, .kernels = true) {
//       ...  // `c` is the Context
//   }
//
// The name is <group>-<what>, in lower case with dashes; the groups are those of row_groups(). Fields are given in the
// order below, each may be left out. A row runs where the backend provides every symbol of `covers` and `needs`
// (exported, its group's bit set), every option bit of `bits`, and that many devices; elsewhere it is reported as
// unsupported, naming what is absent. Where it is demanded and still cannot run (no usable device, no test kernels) it
// is not_run, and the run not green.
//
// Rows run one after the other, each with a fresh Context; after one that fails, the next begins in a new process.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "Facts.h"

namespace eagle::conformance {

class Context;

struct Row {
    std::string name;
    void (*run)(Context& c) = nullptr;
    const char* file = "";
    int line = 0;
    std::vector<Symbol> covers;  // what the row judges; every symbol of symbols.def is covered by a row
    std::vector<Symbol> needs;   // what it also calls
    std::uint64_t bits = 0;      // option bits, such as EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH
    bool memory = false;         // it uses Buffer
    bool kernels = false;        // it uses Launch
    int devices = 1;             // 0: it runs where no device is usable

    std::string_view group() const;
};

const std::vector<std::string_view>& row_groups();

// Every row that is linked in, by group in the order of row_groups(), then by name.
std::vector<Row> all_rows();

// What is wrong with the rows themselves, a sentence each: a name that stands twice or has no known group, and every
// symbol of symbols.def that no row covers.
std::vector<std::string> trouble_of_rows(const std::vector<Row>& rows);

// What of the row's needs the backend does not provide, as a text; "" where it provides all, and the row is demanded.
std::string absent_for(const Row& row, const Facts& facts);
// Why a demanded row cannot run here; "" where it can.
std::string obstacle_of(const Row& row, const Facts& facts);

struct RowRegistration {
    explicit RowRegistration(Row row);
};

// clang-format off
#define EAGLE_ROW_JOIN_(a, b) a##b
#define EAGLE_ROW_AT_(at_line, row_name, ...)                                                              \
    static void EAGLE_ROW_JOIN_(row_at_line_, at_line)(::eagle::conformance::Context&);                    \
    [[maybe_unused]] static const ::eagle::conformance::RowRegistration EAGLE_ROW_JOIN_(                   \
        registration_of_row_at_line_, at_line){::eagle::conformance::Row{                                  \
            .name = row_name, .run = &EAGLE_ROW_JOIN_(row_at_line_, at_line), .file = __FILE__,            \
            .line = at_line, __VA_ARGS__}};                                                                \
    static void EAGLE_ROW_JOIN_(row_at_line_, at_line)([[maybe_unused]] ::eagle::conformance::Context & c)
#define EAGLE_ROW_EXPAND_(at_line, ...) EAGLE_ROW_AT_(at_line, __VA_ARGS__)
#define EAGLE_ROW(...) EAGLE_ROW_EXPAND_(__LINE__, __VA_ARGS__)
// clang-format on

}  // namespace eagle::conformance
