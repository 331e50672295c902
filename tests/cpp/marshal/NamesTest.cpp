#include <eagle/marshal/NameText.h>

#include "Fixture.h"

namespace eagle::marshal {
namespace {

struct Names : testing::Test {
    Signature signature = kernel({scalar_out(), scalar_in("x"), uniform("a")}, "scale");
    std::vector<double> x = {1, 2}, out = {0, 0};
};

TEST_F(Names, AnyOrderBindsByName) {
    Packed p = pack_named(signature, {{"a", 2.0}, {"x", array(x)}, {"out", array(out)}});
    EXPECT_EQ(p.count(), 3u);
    EXPECT_EQ(p.samples(), 2);
    EXPECT_FALSE(p.one_sample());
    EXPECT_EQ(block<VectorBlock>(p, 0).data, reinterpret_cast<char*>(out.data()));
    EXPECT_EQ(block<ScalarBlock>(p, 1).data, reinterpret_cast<char*>(x.data()));
    EXPECT_EQ(read_number<double>(p, 2), 2.0);
}

TEST_F(Names, MissingIsRefusedByName) {
    std::string text = refusal<ArgumentError>([&] { pack_named(signature, {{"x", array(x)}, {"out", array(out)}}); });
    expect_words(text, {"'a'", "'scale'", "missing", "uniform", "out, x, a"});
}

TEST_F(Names, AMissingOutIsRefusedWhereNothingIsAllocated) {
    std::string text = refusal<ArgumentError>([&] { pack_named(signature, {{"x", array(x)}, {"a", 1.0}}); });
    expect_words(text, {"'out'", "missing", "nothing is allocated"});
}

TEST_F(Names, UnknownIsRefusedWithWhatTheKernelTakes) {
    std::string text = refusal<ArgumentError>(
        [&] { pack_named(signature, {{"x", array(x)}, {"b", 1.0}, {"a", 1.0}, {"out", array(out)}}); });
    EXPECT_EQ(text, "unknown argument 'b' for kernel 'scale'; it takes out, x, a");
}

TEST_F(Names, AMisspeltNameIsToldTheNearest) {
    const auto refused = [&](std::string_view name) {
        return refusal<ArgumentError>([&] { pack_named(signature, {{name, array(x)}}); });
    };
    EXPECT_EQ(refused("oout"),
              "unknown argument 'oout' for kernel 'scale'; it takes out, x, a; the nearest name is 'out'");
    EXPECT_EQ(refused(std::string(100'000, 'z')),
              "unknown argument '" + std::string(57, 'z') + "...' for kernel 'scale'; it takes out, x, a");
}

TEST(NearestName, IsFewSlipsAway) {
    const std::vector<std::string> names = {"omega", "dt", "x", "zeta", "beta"};
    EXPECT_EQ(nearest_name("omga", names), "omega");     // left out
    EXPECT_EQ(nearest_name("oomegaa", names), "omega");  // put in, twice
    EXPECT_EQ(nearest_name("omgea", names), "omega");    // swapped
    EXPECT_EQ(nearest_name("zetb", names), "zeta");      // exchanged
    EXPECT_EQ(nearest_name("eta", names), "zeta");       // the first of two that are as near
    EXPECT_EQ(nearest_name("dd", names), "dt");
    EXPECT_EQ(nearest_name("y", names), "");       // another name
    EXPECT_EQ(nearest_name("oe", names), "");      // two letters allow one slip
    EXPECT_EQ(nearest_name("omexxx", names), "");  // three slips
    EXPECT_EQ(nearest_name("omega", names), "");   // is one of them
    EXPECT_EQ(nearest_text("omga", names), "; the nearest name is 'omega'");
    EXPECT_EQ(nearest_text("speed", names), "");
}

TEST_F(Names, DuplicateIsRefused) {
    std::string text = refusal<ArgumentError>(
        [&] { pack_named(signature, {{"x", array(x)}, {"a", 1.0}, {"a", 1.0}, {"out", array(out)}}); });
    expect_words(text, {"'a'", "given twice"});
}

TEST_F(Names, AnArrayForAUniformIsRefused) {
    std::string text =
        refusal<ArgumentError>([&] { pack_named(signature, {{"x", array(x)}, {"a", array(x)}, {"out", array(out)}}); });
    expect_words(text, {"'a'", "array of shape (2,)", "needs a number, one for all samples", "declare it per sample"});
}

TEST_F(Names, ANumberForAPlaneIsRefusedInBind) {
    std::string text =
        refusal<ArgumentError>([&] { pack_named(signature, {{"x", 1.0}, {"a", 1.0}, {"out", array(out)}}); });
    expect_words(text, {"'x'", "is a number", "needs an array", "(N,)"});
}

TEST_F(Names, ANumberForAWrittenPlaneIsRefusedEverywhere) {
    std::string text =
        refusal<ArgumentError>([&] { pack_named(signature, {{"x", 1.0}, {"a", 1.0}, {"out", 0.0}}, converting()); });
    expect_words(text, {"'out'", "is a number", "writes it"});
}

TEST_F(Names, WhatTheLoaderSuppliesCannotBeGiven) {
    Signature s = kernel({state("__steps", Dtype::int64), state("x")});
    std::vector<std::int64_t> steps = {0, 0};
    std::string text = refusal<ArgumentError>([&] { pack_named(s, {{"__steps", array(steps)}, {"x", array(x)}}); });
    expect_words(text, {"'__steps'", "supplied by the loader"});
}

TEST_F(Names, ValuesWithoutNamesAreRefused) {
    std::vector<Value> values(2);
    std::vector<std::string_view> names = {"x"};
    expect_words(refusal<ArgumentError>([&] { pack(signature, names, values, Options{}); }), {"1 names", "2 values"});
}

TEST_F(Names, MoreParametersThanTheInlineTableHolds) {
    std::vector<Parameter> many;
    std::vector<std::string> names;
    for (int i = 0; i < 40; ++i) names.push_back("u" + std::to_string(i));
    Named arguments;
    for (const std::string& n : names) many.push_back(uniform(n));
    for (std::size_t i = 0; i < names.size(); ++i) arguments.emplace_back(names[i], static_cast<double>(i));
    Signature s = kernel(many);
    Packed p = pack_named(s, arguments);
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(read_number<double>(p, i), static_cast<double>(i));
}

}  // namespace
}  // namespace eagle::marshal
