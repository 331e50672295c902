#include "Fixture.h"

namespace eagle::marshal {
namespace {

struct Rebind : testing::Test {
    Signature s = kernel({state("__control", Dtype::int64), state("x"), scalar_in("y"), uniform("a")});
    std::vector<double> x = {1, 2, 3}, y = {4, 5, 6}, z = {7, 8, 9}, four = {0, 0, 0, 0};
    Packed bound() { return pack_named(s, {{"x", array(x)}, {"y", array(y)}, {"a", 1.0}}); }
};

TEST_F(Rebind, ANumber) {
    Packed p = bound();
    p.set_number(3, 2.5);
    EXPECT_EQ(read_number<double>(p, 3), 2.5);
    p.set_number(3, std::int64_t{4});
    EXPECT_EQ(read_number<double>(p, 3), 4.0);
    expect_words(refusal<ArgumentError>([&] { p.set_number(1, 2.0); }), {"'x'", "needs an array"});
    expect_words(refusal<InvalidArgument>([&] { p.set_number(9, 2.0); }), {"no parameter 9", "has 4"});
}

TEST_F(Rebind, AnArrayUnderTheSameRules) {
    Packed p = bound();
    p.set_array(2, array(z));
    EXPECT_EQ(block<ScalarBlock>(p, 2).data, reinterpret_cast<char*>(z.data()));
    EXPECT_EQ(p.array(2).data, z.data());
    expect_words(refusal<LayoutError>([&] { p.set_array(2, array(four)); }), {"'y'", "(4,)", "batch of 3"});
    expect_words(refusal<BufferRefused>([&] { p.set_array(2, array(x)); }), {"shares memory"});
    expect_words(refusal<BufferRefused>([&] { p.set_array(1, array(z)); }), {"'x'", "shares memory", "'y'"});
    std::vector<float> narrow(3);
    expect_words(refusal<BufferRefused>([&] { p.set_array(2, array(narrow)); }), {"float32"});
    ArrayView far = array(y);
    far.device_type = 2;
    expect_words(refusal<BufferRefused>([&] { p.set_array(2, far); }), {"device type 2", "the host"});
    expect_words(refusal<ArgumentError>([&] { p.set_array(3, array(y)); }), {"'a'", "needs a number"});
    EXPECT_EQ(block<ScalarBlock>(p, 2).data, reinterpret_cast<char*>(z.data())) << "a refusal changed the binding";
}

TEST_F(Rebind, TheSameArrayMayBeBoundAgain) {
    Packed p = bound();
    EXPECT_NO_THROW(p.set_array(1, array(x)));
}

TEST_F(Rebind, SuppliedPlanesAreNullUntilSet) {
    Packed p = bound();
    EXPECT_EQ(block<ScalarBlock>(p, 0).data, nullptr);
    EXPECT_EQ(block<ScalarBlock>(p, 0).samples, 0u);
    std::int64_t control[8] = {};
    p.set_supplied(0, control, 8);
    EXPECT_EQ(block<ScalarBlock>(p, 0).data, reinterpret_cast<char*>(control));
    EXPECT_EQ(block<ScalarBlock>(p, 0).samples, 8u);
    EXPECT_EQ(block<ScalarBlock>(p, 0).stride, 1u);
    expect_words(refusal<ArgumentError>([&] { p.set_supplied(1, control, 8); }), {"'x'", "caller's"});
    expect_words(refusal<ArgumentError>([&] { p.set_array(0, array(y)); }), {"'__control'", "supplied"});
}

TEST_F(Rebind, MovingKeepsTheBlocks) {
    Packed p = bound();
    void* const* params = p.params();
    Packed q = std::move(p);
    EXPECT_EQ(q.params(), params);
    EXPECT_EQ(read_scalar(q, 1, 2), 3.0);
}

TEST_F(Rebind, OnlyPlanesAreArrays) {
    Packed p = bound();
    expect_words(refusal<ArgumentError>([&] { (void)p.array(3); }), {"'a'", "no array", "uniform"});
}

}  // namespace
}  // namespace eagle::marshal
