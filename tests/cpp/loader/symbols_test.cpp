// Each symbol of the list taken away, one at a time, from a backend that has them all and sets every bit.
#include <fstream>
#include <set>

#include "Place.h"
#include "Refusal.h"
#include "backend/Table.h"

using eagle::Backend;
using loader_test::animal;
using loader_test::expect_words;

namespace {

struct Symbol {
    std::string group, name;
    int since;
};

void PrintTo(const Symbol& symbol, std::ostream* out) { *out << symbol.name; }

const std::vector<Symbol> symbols{
#define EAGLE_SYMBOL(group, name, since, bound) Symbol{#group, "eagle_backend_" #name, since},
#include <eagle/seam/symbols.def>
};

// A copy of the library in which the dynamic linker finds no such name any more.
std::string without(std::string bytes, const std::string& symbol) {
    const std::string name = '\0' + symbol + '\0';
    int found = 0;
    for (auto at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at + 1)) {
        bytes[at + 1] = '#';  // the end may be a name of its own: memcpy in eagle_backend_memcpy
        ++found;
    }
    EXPECT_GE(found, 1) << symbol;
    return bytes;
}

class TakenAway : public testing::TestWithParam<Symbol> {
  protected:
    const loader_test::Place place;
    const std::filesystem::path file =
        place.write("libeagle_zoo.so", without(loader_test::bytes_of(animal("full")), GetParam().name));
};

class Needed : public TakenAway {};
class Optional : public TakenAway {};

TEST_P(Needed, IsARefusalThatNamesSymbolGroupAndRule) {
    const auto& [group, name, since] = GetParam();
    const std::string text = loader_test::refusal(file);
    const bool required = group == "core";
    expect_words(text, {"argument: " + file.string() + ": refused: ", "does not export " + name});
    if (name == "eagle_backend_version") {
        expect_words(text, {"so it is no eagle backend", "needs a library that answers the seam eagle-backend/1"});
    } else if (required) {
        expect_words(text, {"one of the seven symbols required of every backend"});
    } else {
        expect_words(text, {"promises the group " + group + " by its capability bit",
                            "needs every symbol of a promised group, or the bit clear"});
    }
    expect_words(text, {required ? "[EBP-9]" : "[EBP-8]"});
    EXPECT_EQ(Backend::load("second", animal("second", "second")).kind(), "second");
}

TEST_P(Optional, IsAnEmptyPlaceInTheTable) {
    const auto& name = GetParam().name;
    const auto backend = Backend::load("zoo", file);
    std::set<std::string> absent;
    for (const auto& row : eagle::seam::rows_of(backend.table())) {
        if (row.address == nullptr) absent.insert(std::string(row.symbol));
    }
    std::set<std::string> wanted{name};
    if (name == "eagle_backend_sdk_version") {
        for (const auto& symbol : symbols) {
            if (symbol.group == "sdk") wanted.insert(symbol.name);
        }
    }
    EXPECT_EQ(absent, wanted);
}

std::vector<Symbol> chosen(bool needed) {
    std::vector<Symbol> result;
    for (const auto& symbol : symbols) {
        const bool by_itself = symbol.since > 0 || symbol.group == "none" || symbol.group == "sdk";
        if (needed != by_itself) result.push_back(symbol);
    }
    return result;
}

std::string label(const testing::TestParamInfo<Symbol>& info) { return info.param.name.substr(14); }

INSTANTIATE_TEST_SUITE_P(Symbol, Needed, testing::ValuesIn(chosen(true)), label);
INSTANTIATE_TEST_SUITE_P(Symbol, Optional, testing::ValuesIn(chosen(false)), label);

TEST(Symbols, AllOfThemLoad) {
    const auto backend = Backend::load("zoo", animal("full"));
    for (const auto& row : eagle::seam::rows_of(backend.table())) EXPECT_NE(row.address, nullptr) << row.symbol;
    EXPECT_EQ(chosen(true).size(), 7u + 4 + 4 + 2 + 8 + 6 + 2 + 7 + 7 + 1 + 1 + 2 + 1);
}

}  // namespace
