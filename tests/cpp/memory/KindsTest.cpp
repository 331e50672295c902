// Two device kinds in one process, of which one provides nothing: what is refused by name.
#include <eagle/ActiveSet.h>
#include <eagle/DeviceProps.h>
#include <eagle/Error.h>
#include <eagle/Memory.h>
#include <eagle/Pinned.h>

#include "Place.h"

namespace {

using namespace active_tests;
using eagle::ArrayView;
using eagle::BackendUnavailable;
using eagle::Dtype;
using handmade::refusal;

eagle::Backend bare() { return eagle::Backend::load("gpuone", EAGLE_BARE_BACKEND); }

TEST(TwoKinds, OneHasToBeNamed) {
    const std::int64_t shape[] = {4};
    bare();
    simulated::backend();
    EXPECT_EQ(refusal<BackendUnavailable>([&] { eagle::pinned(shape, Dtype::float64); }),
              "eagle: pinned memory is ambiguous, gpuone, sim are loaded; name one of them as the backend");
    EXPECT_EQ(eagle::pinned(shape, Dtype::float64, "sim").kind, "sim");
}

TEST(BareKind, EachCallNamesWhatIsMissing) {
    const std::int64_t shape[] = {4};
    const eagle::Backend backend = bare();
    const auto missing = [](const auto& call, const std::string& what) {
        const std::string text = refusal<BackendUnavailable>(call);
        EXPECT_NE(text.find("does not provide " + what), std::string::npos) << text;
    };
    missing([&] { eagle::Array::pinned(shape, Dtype::float64, backend); }, "eagle_backend_host_alloc");
    missing([&] { eagle::device_props(backend); }, "device");
    std::vector<std::uint8_t> bytes(4);
    ArrayView there = handmade::view(bytes), host = there;
    there.device_type = 17;
    missing([&] { eagle::ActiveSet{there}; }, "filtering");
    missing([&] { eagle::copy(there, there); }, "stream");
    missing([&] { eagle::copy(host, there); }, "stream");
}

}  // namespace
