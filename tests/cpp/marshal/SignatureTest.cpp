#include "Fixture.h"

namespace eagle::marshal {
namespace {

TEST(Signature, RolesAndDtypesHaveTheirWrittenNames) {
    EXPECT_EQ(role_name(Role::mutable_), "mutable");
    EXPECT_EQ(role_name(Role::accum_out), "accum_out");
    EXPECT_EQ(role_name(Role::nsamples), "nsamples");
    EXPECT_EQ(dtype_name(Dtype::uint32), "uint32");
    EXPECT_EQ(dtype_name(Dtype::boolean), "bool");
}

TEST(Signature, NamesAreReadBack) {
    for (auto name : {"mutable", "out", "wide_out", "accum_out", "vec_in", "mat_in", "wide_in", "per_sample", "lookup",
                      "terminated", "uniform", "nsamples"})
        EXPECT_EQ(role_name(role_from_name(name).value()), name);
    for (auto name : {"float64", "float32", "int64", "int32", "uint32", "bool"})
        EXPECT_EQ(dtype_name(dtype_from_name(name).value()), name);
    EXPECT_FALSE(role_from_name("output"));
    EXPECT_FALSE(dtype_from_name("double"));
}

TEST(Signature, SizesOfElements) {
    EXPECT_EQ(dtype_size(Dtype::float64), 8u);
    EXPECT_EQ(dtype_size(Dtype::float32), 4u);
    EXPECT_EQ(dtype_size(Dtype::int64), 8u);
    EXPECT_EQ(dtype_size(Dtype::int32), 4u);
    EXPECT_EQ(dtype_size(Dtype::uint32), 4u);
    EXPECT_EQ(dtype_size(Dtype::boolean), 1u);
}

TEST(Signature, WhatAKernelWrites) {
    Signature s = kernel({state("x"), scalar_out(), scalar_in("y"), mask(), uniform("a")});
    EXPECT_TRUE(s.writes(s.parameters[0]));
    EXPECT_TRUE(s.writes(s.parameters[1]));
    EXPECT_FALSE(s.writes(s.parameters[2]));
    EXPECT_TRUE(s.writes(s.parameters[3]));
    s.terminated_readonly = true;
    EXPECT_FALSE(s.writes(s.parameters[3]));
    EXPECT_FALSE(s.writes(s.parameters[4]));
    EXPECT_EQ(s.find("y"), 2);
    EXPECT_EQ(s.find("z"), -1);
}

TEST(Signature, ElementTypesAreNamed) {
    EXPECT_EQ(element_type_name({TypeCode::floating, 64, 1, false}), "float64");
    EXPECT_EQ(element_type_name({TypeCode::complex, 128, 1, false}), "complex128");
    EXPECT_EQ(element_type_name({TypeCode::bfloat, 16, 1, false}), "bfloat16");
    EXPECT_EQ(element_type_name({TypeCode::opaque, 64, 1, false}), "object");
    EXPECT_EQ(element_type_name({TypeCode::floating, 64, 1, true}), "big-endian float64");
    EXPECT_EQ(element_type_name({TypeCode::integer, 8, 4, false}), "int8 x 4");
    EXPECT_EQ(element_type_name({TypeCode::boolean, 8, 1, false}), "bool");
}

TEST(Signature, AViewOfTooManyDimensionsIsRefused) {
    std::vector<std::int64_t> shape(9, 1);
    expect_words(refusal<LayoutError>([&] { ArrayView::host(nullptr, Dtype::float64, shape); }), {"9", "8"});
}

}  // namespace
}  // namespace eagle::marshal
