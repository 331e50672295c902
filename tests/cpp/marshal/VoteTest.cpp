#include "Fixture.h"

namespace eagle::marshal {
namespace {

struct Vote : testing::Test {
    Signature s = kernel({scalar_in("x"), scalar_in("y"), scalar_in("z")});
    std::vector<double> five = std::vector<double>(5), four = std::vector<double>(4), three = std::vector<double>(3);
};

TEST_F(Vote, ThePlaneThatDisagreesWithTheMajorityIsNamed) {
    for (const char* odd : {"x", "y", "z"}) {
        Named arguments;
        for (const char* name : {"x", "y", "z"})
            arguments.emplace_back(name, std::string_view(name) == odd ? array(four) : array(five));
        std::string text = refusal<LayoutError>([&] { pack_named(s, arguments); });
        expect_words(text, {"has 4 samples", "(4,)", "needs 5"});
        EXPECT_EQ(text.find("argument '" + std::string(odd) + "'"), 0u) << text;
    }
}

TEST_F(Vote, WithoutAMajorityTheFirstLengthStands) {
    std::string text =
        refusal<LayoutError>([&] { pack_named(s, {{"x", array(five)}, {"y", array(four)}, {"z", array(three)}}); });
    expect_words(text, {"argument 'y'", "has 4 samples", "needs 5, as 'x' has"});
}

TEST_F(Vote, OneSampleAndABatchAreNeverMixed) {
    std::string text = refusal<LayoutError>(
        [&] { pack_named(s, {{"x", array(five)}, {"y", 1.0}, {"z", array(five)}}, converting()); });
    expect_words(text, {"'y'", "shape ()", "'x'", "batch of 5 samples", "never both", "N = 5"});
}

TEST_F(Vote, ABatchOfOneIsABatch) {
    std::vector<double> one = {1};
    std::vector<double> nothing = {1};
    EXPECT_FALSE(pack_named(s, {{"x", array(one)}, {"y", array(one)}, {"z", array(one)}}).one_sample());
    expect_words(
        refusal<LayoutError>([&] { pack_named(s, {{"x", array(one)}, {"y", array(nothing, {})}, {"z", array(one)}}); }),
        {"never both", "batch of 1 sample"});
}

TEST_F(Vote, AVectorOfThePerSampleShapeIsOneSample) {
    Signature v = kernel({vector_in("v", 3), scalar_in("x")});
    std::vector<double> x = {7};
    Packed p = pack_named(v, {{"v", array(three)}, {"x", array(x, {})}});
    EXPECT_TRUE(p.one_sample());
    EXPECT_EQ(p.samples(), 1);
    EXPECT_EQ(block<VectorBlock>(p, 0).comp_stride, 1u);
}

TEST_F(Vote, TablesDoNotVote) {
    Signature t = kernel({scalar_in("x"), {"table", Role::lookup, Dtype::float64}});
    Packed p = pack_named(t, {{"x", array(five)}, {"table", array(three)}});
    EXPECT_EQ(p.samples(), 5);
    EXPECT_EQ(block<ScalarBlock>(p, 1).samples, 3u);
}

TEST_F(Vote, AnEmptyBatchIsABatch) {
    ArrayView empty = ArrayView::host(nullptr, Dtype::float64, {0});
    Packed p = pack_named(s, {{"x", empty}, {"y", empty}, {"z", empty}});
    EXPECT_EQ(p.samples(), 0);
    EXPECT_FALSE(p.one_sample());
}

TEST_F(Vote, ACallWithoutPlanesIsOneSample) {
    Signature u = kernel({scalar_out(), uniform("a")});
    Options o = converting();
    o.allocate_out = true;
    Packed p = pack_named(u, {{"a", 1.0}}, o);
    EXPECT_TRUE(p.one_sample());
    EXPECT_EQ(p.array(0).ndim, 0);
}

}  // namespace
}  // namespace eagle::marshal
