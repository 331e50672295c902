#include "Fixture.h"

namespace eagle::marshal {
namespace {

struct Overlap : testing::Test {
    Signature s = kernel({state("x"), scalar_in("y")});
    std::vector<double> data = std::vector<double>(24);
    void refused(const Signature& signature, const Named& arguments, const char* first, const char* second) {
        std::string text = refusal<BufferRefused>([&] { pack_named(signature, arguments, converting()); });
        expect_words(text, {first, second, "shares memory", "writes it"});
    }
};

TEST_F(Overlap, AWrittenPlaneSharesWithNothing) {
    refused(s, {{"x", strided(data, {8}, {1})}, {"y", strided(data, {8}, {1}, 7)}}, "'x'", "'y'");
    EXPECT_NO_THROW(pack_named(s, {{"x", strided(data, {8}, {1})}, {"y", strided(data, {8}, {1}, 8)}}));
}

TEST_F(Overlap, ReadPlanesMayShare) {
    Signature reads = kernel({scalar_in("x"), scalar_in("y")});
    EXPECT_NO_THROW(pack_named(reads, {{"x", array(data)}, {"y", array(data)}}));
}

TEST_F(Overlap, ColumnsOfOneArrayDoNotOverlap) {
    for (std::int64_t k : {1, 2})
        EXPECT_NO_THROW(pack_named(s, {{"x", strided(data, {8}, {3}, 0)}, {"y", strided(data, {8}, {3}, k)}}));
    refused(s, {{"x", strided(data, {7}, {3}, 1)}, {"y", strided(data, {7}, {3}, 4)}}, "'x'", "'y'");
}

TEST_F(Overlap, BlocksOfColumnsDoNotOverlap) {
    Signature v = kernel({vector_state("x", 3), {"y", Role::vec_in, Dtype::float64, 3, 1, true}});
    // a (3, 8) array, its left and its right half
    EXPECT_NO_THROW(pack_named(v, {{"x", strided(data, {3, 4}, {8, 1})}, {"y", strided(data, {3, 4}, {8, 1}, 4)}}));
    refused(v, {{"x", strided(data, {3, 4}, {8, 1})}, {"y", strided(data, {3, 4}, {8, 1}, 3)}}, "'x'", "'y'");
}

TEST_F(Overlap, DifferentElementSizesAreComparedByBytes) {
    Signature m = kernel({state("x"), mask()});
    m.terminated_readonly = true;
    ArrayView bytes = typed(ArrayView::host(data.data(), Dtype::boolean, {4}), TypeCode::boolean, 8);
    bytes.data = reinterpret_cast<char*>(data.data()) + 31;  // the last byte of element 3
    refused(m, {{"x", strided(data, {4}, {1})}, {"done", bytes}}, "'x'", "'done'");
    bytes.data = reinterpret_cast<char*>(data.data()) + 32;
    EXPECT_NO_THROW(pack_named(m, {{"x", strided(data, {4}, {1})}, {"done", bytes}}));
}

TEST_F(Overlap, AConvertedInputStillOverlaps) {
    ArrayView ints = typed(strided(data, {8}, {1}), TypeCode::integer, 64);
    refused(s, {{"x", strided(data, {8}, {1})}, {"y", ints}}, "'x'", "'y'");
}

TEST_F(Overlap, EmptyPlanesShareNothing) {
    EXPECT_NO_THROW(pack_named(s, {{"x", strided(data, {0}, {1})}, {"y", strided(data, {0}, {1})}}));
}

TEST_F(Overlap, TwoWrittenPlanesAreComparedToo) {
    Signature w = kernel({state("p"), state("q")});
    refused(w, {{"p", array(data)}, {"q", array(data)}}, "'p'", "'q'");
}

}  // namespace
}  // namespace eagle::marshal
