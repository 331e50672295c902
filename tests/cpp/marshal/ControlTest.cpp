#include <eagle/marshal/Control.h>

#include <limits>

#include "Fixture.h"

namespace eagle::marshal {
namespace {

struct Fault : testing::Test {
    Signature s = kernel({}, "divide");
    std::int64_t control[Control::size] = {};
    std::string raised_text() {
        try {
            raise_fault(s, control);
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    }
};

TEST_F(Fault, NoneIsNoError) {
    control[Control::sample] = 3;
    EXPECT_NO_THROW(raise_fault(s, control));
}

TEST_F(Fault, DivisionByZeroNamesKernelAndSample) {
    control[Control::fault] = -1;
    control[Control::sample] = 12;
    try {
        raise_fault(s, control);
        FAIL();
    } catch (const DivisionFault& e) {
        EXPECT_FALSE(e.overflow());
        expect_words(e.what(), {"by zero", "'divide'", "sample 12"});
    }
}

TEST_F(Fault, TheOverflowingQuotientIsItsOwn) {
    control[Control::fault] = -2;
    try {
        raise_fault(s, control);
        FAIL();
    } catch (const DivisionFault& e) {
        EXPECT_TRUE(e.overflow());
        expect_words(e.what(), {"overflows", "sample 0"});
    }
}

TEST_F(Fault, AnIndexNamesTableIndexAndSample) {
    control[Control::fault] = 3;
    control[Control::index] = -7;
    control[Control::sample] = 5;
    EXPECT_THROW(raise_fault(s, control), IndexError);
    expect_words(raised_text(), {"index -7", "table 2", "sample 5"});
}

TEST_F(Fault, AnUnknownCodeIsSaid) {
    control[Control::fault] = -9;
    expect_words(raised_text(), {"fault code -9", "'divide'"});
}

}  // namespace
}  // namespace eagle::marshal
