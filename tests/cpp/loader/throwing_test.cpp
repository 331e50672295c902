// C++ exceptions out of entries of a backend.
#include "Place.h"
#include "Refusal.h"

using eagle::Backend;
using loader_test::animal;
using loader_test::expect_words;
using loader_test::refusal;

namespace {

int policy_of(const std::filesystem::path& file) {
    for (const auto& attempt : eagle::backend_report()) {
        if (attempt.path == file) return attempt.policy;
    }
    return -1;
}

TEST(Throwing, WhileItIsOpenedIsARefusalWithItsText) {
    for (const std::string entry : {"version", "capabilities", "device_types", "build_info", "last_error"}) {
        const auto file = animal("throws_" + entry);
        expect_words(refusal(file), {file.string(), "refused: eagle_backend_" + entry, "let a C++ exception out",
                                     "'the cage is open'", "needs a status", "[EBP-3]"});
        EXPECT_EQ(policy_of(file), 3);
        EXPECT_EQ(Backend::load("second", animal("second", "second")).kind(), "second");
    }
}

TEST(Throwing, WhatIsNoExceptionOfTheStandardIsARefusalToo) {
    expect_words(refusal(animal("throws_a_number")),
                 {"eagle_backend_capabilities let a C++ exception out", "of a type that is not std::exception"});
}

TEST(Throwing, AProbeHasNoUsableDevice) {
    const auto backend = Backend::load("zoo", animal("throws_probe"));
    const auto probe = backend.probe();
    EXPECT_FALSE(probe.usable);
    expect_words(probe.message, {"eagle_backend_probe let a C++ exception out", "'the cage is open'"});
    EXPECT_EQ(backend.device_count(), 0);
}

}  // namespace
