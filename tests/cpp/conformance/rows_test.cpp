// Which rows a backend must pass, by what it says of itself.
#include <eagle/conformance/Row.h>
#include <gtest/gtest.h>

using namespace eagle::conformance;

namespace {

Facts facts_with(std::vector<Symbol> symbols, std::uint64_t bits) {
    Facts facts;
    for (const Symbol symbol : symbols) facts.present[static_cast<std::size_t>(symbol)] = true;
    facts.capabilities = bits;
    facts.devices = 1;
    facts.device_types = {2};
    return facts;
}

TEST(Rows, every_symbol_is_covered_and_every_name_is_good) {
    EXPECT_EQ(trouble_of_rows(all_rows()), std::vector<std::string>());
}

TEST(Rows, trouble_names_what_is_wrong) {
    auto rows = all_rows();
    std::erase_if(rows, [](const Row& row) {
        return std::find(row.covers.begin(), row.covers.end(), Symbol::fork_mark) != row.covers.end();
    });
    rows.push_back(Row{.name = "nogroup-x", .file = "f.cpp", .line = 3});
    rows.push_back(Row{.name = "core-free", .file = "f.cpp", .line = 4});
    const auto trouble = trouble_of_rows(rows);
    auto told = [&](const std::string& words) {
        return std::any_of(trouble.begin(), trouble.end(),
                           [&](const std::string& text) { return text.find(words) != std::string::npos; });
    };
    EXPECT_TRUE(told("no row covers eagle_backend_fork_mark (group fork)"));
    EXPECT_TRUE(told("f.cpp:3: 'nogroup-x' is no name of a row"));
    EXPECT_TRUE(told("f.cpp:4: the row 'core-free' stands twice"));
}

TEST(Rows, are_demanded_where_symbol_and_bit_are_there) {
    const Row row{.name = "fork-x", .covers = {Symbol::fork_mark}};
    EXPECT_EQ(absent_for(row, facts_with({}, 0)), "eagle_backend_fork_mark is not exported");
    EXPECT_EQ(absent_for(row, facts_with({Symbol::fork_mark}, 0)), "the bit of group fork is clear");
    EXPECT_EQ(absent_for(row, facts_with({Symbol::fork_mark}, EAGLE_BACKEND_CAP_FORK)), "");
}

TEST(Rows, options_and_the_sdk_have_their_own_conditions) {
    Row row{.name = "core-x", .bits = EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH};
    EXPECT_EQ(absent_for(row, facts_with({}, 0)), "the bit conditional_switch is clear");
    EXPECT_EQ(absent_for(row, facts_with({}, EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH)), "");
    row = Row{.name = "core-x", .needs = {Symbol::sdk_device_count}};
    EXPECT_NE(absent_for(row, facts_with({Symbol::sdk_device_count}, 0)).find("eagle_backend_sdk_version"),
              std::string::npos);
    EXPECT_EQ(absent_for(row, facts_with({Symbol::sdk_device_count, Symbol::sdk_version}, 0)), "");
}

TEST(Rows, with_kernels_need_one_of_two_ways_to_launch) {
    const Row row{.name = "core-x", .kernels = true};
    const std::initializer_list<Symbol> code{Symbol::sdk_version, Symbol::sdk_module_load, Symbol::sdk_module_function};
    Facts facts = facts_with(code, 0);
    EXPECT_EQ(absent_for(row, facts), "eagle_backend_run_device is not exported");
    facts.present[static_cast<std::size_t>(Symbol::sdk_launch)] = true;
    EXPECT_EQ(absent_for(row, facts), "");
    facts = facts_with(code, EAGLE_BACKEND_CAP_EXEC);
    facts.present[static_cast<std::size_t>(Symbol::run_device)] = true;
    EXPECT_EQ(absent_for(row, facts), "");
    facts.capabilities = 0;
    EXPECT_EQ(absent_for(row, facts), "the bit of group exec is clear");
}

TEST(Rows, memory_of_a_host_kind_needs_no_symbol) {
    const Row row{.name = "core-x", .memory = true};
    Facts facts = facts_with({}, 0);
    EXPECT_NE(absent_for(row, facts), "");
    facts.device_types = {1};
    EXPECT_EQ(absent_for(row, facts), "");
}

TEST(Rows, that_are_demanded_may_meet_an_obstacle) {
    Row row{.name = "core-x", .kernels = true};
    Facts facts = facts_with({}, 0);
    facts.kernels_trouble = "no file was given";
    EXPECT_EQ(obstacle_of(row, facts), "no test kernels: no file was given");
    facts.unusable = "no driver";
    EXPECT_EQ(obstacle_of(row, facts), "no device is usable: no driver");
    row = Row{.name = "core-x", .devices = 0};
    EXPECT_EQ(obstacle_of(row, facts), "");
}

}  // namespace
