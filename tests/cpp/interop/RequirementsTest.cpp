// Every clause of a refusal by its words: alone, and all together in their order.
#include <eagle/Error.h>
#include <eagle/Interop.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace {

using eagle::Access;
using eagle::ArrayView;
using eagle::Dtype;
using eagle::ElementType;
using eagle::Requirements;

// 2 x 3 doubles of the host at an address that 16 divides and 32 does not.
ArrayView plain() {
    ArrayView view = ArrayView::host(reinterpret_cast<void*>(0x7000'0010), Dtype::float64, {2, 3});
    return view;
}

Requirements with(const std::function<void(Requirements&)>& set) {
    Requirements needed;
    set(needed);
    return needed;
}

struct Case {
    const char* clause;
    Requirements needed;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"dtype is float64, needed is int32", with([](auto& n) { n.dtype = ElementType::of(Dtype::int32); })},
        {"count is 6, needed is 7", with([](auto& n) { n.count = 7; })},
        {"shape is (2, 3), needed is (6,)", with([](auto& n) { n.shape = {6}; })},
        {"layout is strided by (8, 16) bytes, needed is dense and row-major",
         with([](auto& n) { n.contiguous = true; })},
        {"alignment is 16 bytes, needed is 64 bytes", with([](auto& n) { n.alignment = 64; })},
        {"device is DLPack device type 1 (cpu), needed is DLPack device type 2 (cuda)",
         with([](auto& n) { n.device_type = 2; })},
        {"device_id is 0, needed is 1", with([](auto& n) { n.device_id = 1; })},
        {"access is unknown, needed is read-write", with([](auto& n) { n.writable = true; })},
    };
    return all;
}

ArrayView turned() {
    ArrayView view = plain();
    view.strides = {8, 16};
    return view;
}

std::string refusal(const Requirements& needed) {
    try {
        eagle::require(turned(), Access::unknown, needed, "argument 'x'");
    } catch (const eagle::BufferRefused& error) {
        return error.what();
    }
    return "";
}

constexpr const char* opening = "argument 'x' does not meet what is required: ";
constexpr const char* advice = ". Pass an array that does, or convert or copy this one first";

TEST(Requirements, EveryClauseAlone) {
    for (const Case& one : cases()) EXPECT_EQ(refusal(one.needed), std::string(opening) + one.clause + advice);
}

TEST(Requirements, AllTogetherInTheirOrder) {
    Requirements needed;
    needed.dtype = ElementType::of(Dtype::int32);
    needed.count = 7;
    needed.shape = {6};
    needed.contiguous = true;
    needed.alignment = 64;
    needed.device_type = 2;
    needed.device_id = 1;
    needed.writable = true;
    std::string clauses;
    for (const Case& one : cases()) clauses += (clauses.empty() ? "" : "; ") + std::string(one.clause);
    EXPECT_EQ(refusal(needed), opening + clauses + advice);
    EXPECT_EQ(eagle::unmet(turned(), Access::unknown, needed).size(), cases().size());
}

TEST(Requirements, WhatIsMetSaysNothing) {
    Requirements needed;
    needed.dtype = ElementType::of(Dtype::float64);
    needed.count = 6;
    needed.shape = {2, 3};
    needed.contiguous = true;
    needed.alignment = 16;
    needed.device_type = 1;
    needed.device_id = 0;
    needed.writable = true;
    EXPECT_NO_THROW(eagle::require(plain(), Access::read_write, needed, "x"));
    EXPECT_NO_THROW(eagle::require(turned(), Access::unknown, {}, "x"));
}

TEST(Requirements, ReadOnlyIsNotWritable) {
    const auto clauses = eagle::unmet(plain(), Access::read_only, with([](auto& n) { n.writable = true; }));
    EXPECT_EQ(clauses, std::vector<std::string>{"access is read-only, needed is read-write"});
}

TEST(Requirements, ATypeThatNobodyServesIsToldByItsNumber) {
    ArrayView view = plain();
    view.device_type = 99;
    const auto clauses = eagle::unmet(view, Access::read_write, with([](auto& n) { n.device_type = 1; }));
    EXPECT_EQ(clauses,
              std::vector<std::string>{"device is DLPack device type 99, needed is DLPack device type 1 (cpu)"});
}

TEST(Requirements, ANegativeAlignmentIsNone) {
    EXPECT_THROW(eagle::require(plain(), Access::read_write, with([](auto& n) { n.alignment = -8; }), "x"),
                 eagle::InvalidArgument);
}

TEST(Contiguous, AxesOfOneElementHaveAnyStride) {
    ArrayView view = ArrayView::host(nullptr, Dtype::float32, {1, 4});
    view.strides = {-999, 4};
    EXPECT_TRUE(eagle::is_contiguous(view));
    view.strides = {16, -4};
    EXPECT_FALSE(eagle::is_contiguous(view));
    view.shape = {0, 4};
    EXPECT_TRUE(eagle::is_contiguous(view));
}

TEST(ElementTypeNames, ComeBack) {
    for (const char* name : {"float16", "float32", "float64", "bfloat16", "int8", "int64", "uint8", "uint64", "bool",
                             "complex64", "complex128"}) {
        const auto type = eagle::element_type_from_name(name);
        ASSERT_TRUE(type) << name;
        EXPECT_EQ(eagle::element_type_name(*type), name);
    }
    for (const char* name : {"", "float", "float12", "object", "big-endian float64", "bool1"})
        EXPECT_FALSE(eagle::element_type_from_name(name)) << name;
}

}  // namespace
