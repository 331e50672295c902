// Streams, memory, copies and modules: on the cpu backend, and on one that has none of them.
#include <eagle/Memory.h>
#include <eagle/Module.h>

#include <cstring>
#include <numeric>

#include "Launch.h"
#include "Place.h"
#include "Refusal.h"

using eagle::Backend;
using eagle::DeviceBuffer;
using eagle::Module;
using eagle::PinnedBuffer;
using eagle::Stream;
using loader_test::expect_words;
using loader_test::launch;

namespace {

Backend cpu() { return Backend::load("cpu"); }

template <class Wanted, class Call>
void expect_thrown(const Call& call, std::initializer_list<std::string> words) {
    try {
        call();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Wanted& error) {
        expect_words(error.what(), words);
    }
}

TEST(Cpu, IsFoundBesideLibeagleAndServesTheHost) {
    EXPECT_EQ(cpu().kind(), "cpu");
    EXPECT_TRUE(cpu().host_only());
    EXPECT_EQ(cpu().device_types(), std::vector<std::int32_t>{1});
    EXPECT_TRUE(cpu().probe().usable);
    EXPECT_EQ(cpu().device_count(), 1);
    EXPECT_TRUE(cpu().provides(eagle::Group::stream));
    EXPECT_TRUE(cpu().provides(eagle::Group::exec));
}

TEST(StreamHandle, RunsWorkInOrder) {
    const Module module = Module::load(cpu(), KERNELS_FILE);
    Stream stream(cpu());
    std::vector<double> x(10000);
    std::iota(x.begin(), x.end(), 0.0);
    launch(stream, module.function("twice"), x);
    launch(stream, module.function("add"), x, {3.0});
    launch(stream, module.function("twice"), x);
    stream.synchronize();
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], (2.0 * static_cast<double>(i) + 3.0) * 2.0) << i;
}

TEST(StreamHandle, MovesAndIsEmptyAfterwards) {
    Stream first(cpu());
    const std::uint64_t native = first.native();
    EXPECT_NE(native, 0u);
    Stream second(std::move(first));
    EXPECT_EQ(second.native(), native);
    EXPECT_EQ(first.native(), 0u);
    expect_thrown<eagle::BadHandle>([&] { first.synchronize(); }, {"this Stream was moved from"});
    first = Stream(cpu());
    EXPECT_NO_THROW(first.synchronize());
    first = std::move(second);
    EXPECT_EQ(first.native(), native);
}

TEST(StreamHandle, ADeviceThatIsNotThereIsRefused) {
    expect_thrown<eagle::InvalidArgument>([] { Stream(cpu(), 7); }, {"stream_create", "'cpu'", "7"});
}

TEST(DeviceMemory, IsAlignedAndFilledByCopies) {
    Stream stream(cpu());
    const std::string text = "a line of text that goes there and back";
    const DeviceBuffer device(cpu(), 0, text.size(), stream.native());
    EXPECT_EQ(device.address() % 256, 0u);
    EXPECT_EQ(device.bytes(), text.size());
    PinnedBuffer host(cpu(), text.size());
    std::memcpy(host.data(), text.data(), text.size());
    const auto host_address = reinterpret_cast<std::uint64_t>(host.data());
    eagle::copy(cpu(), device.address(), host_address, text.size(), eagle::CopyKind::host_to_device, stream.native());
    stream.synchronize();
    std::memset(host.data(), 0, text.size());
    eagle::copy(cpu(), host_address, device.address(), text.size(), eagle::CopyKind::device_to_host, stream.native());
    stream.synchronize();
    EXPECT_EQ(std::string(static_cast<const char*>(host.data()), text.size()), text);
}

TEST(DeviceMemory, OfNoBytesHasNoAddress) {
    EXPECT_EQ(DeviceBuffer(cpu(), 0, 0).address(), 0u);
    EXPECT_EQ(PinnedBuffer(cpu(), 0).data(), nullptr);
}

TEST(DeviceMemory, Moves) {
    DeviceBuffer first(cpu(), 0, 512);
    const std::uint64_t address = first.address();
    DeviceBuffer second(std::move(first));
    EXPECT_EQ(second.address(), address);
    EXPECT_EQ(first.address(), 0u);
    EXPECT_EQ(first.bytes(), 0u);
    first = std::move(second);
    EXPECT_EQ(first.address(), address);

    PinnedBuffer pinned(cpu(), 512);
    void* const data = pinned.data();
    PinnedBuffer other(std::move(pinned));
    EXPECT_EQ(other.data(), data);
    EXPECT_EQ(pinned.data(), nullptr);
    pinned = std::move(other);
    EXPECT_EQ(pinned.data(), data);
}

TEST(DeviceMemory, RunsOut) {
    constexpr std::uint64_t more_than_there_is = std::uint64_t{1} << 60;
    expect_thrown<eagle::OutOfMemory>([] { DeviceBuffer(cpu(), 0, more_than_there_is); },
                                      {"sdk_device_alloc of 1152921504606846976 bytes", "'cpu'"});
    expect_thrown<eagle::Error>([] { PinnedBuffer(cpu(), more_than_there_is); },
                                {"host_alloc of 1152921504606846976 bytes", "'cpu'"});
}

TEST(Copy, RefusesANullAddressAndAnUnknownKind) {
    double x = 1.0;
    const auto at = reinterpret_cast<std::uint64_t>(&x);
    expect_thrown<eagle::InvalidArgument>([&] { eagle::copy(cpu(), 0, at, sizeof x, eagle::CopyKind::host_to_host); },
                                          {"memcpy of 8 bytes", "dst"});
    expect_thrown<eagle::InvalidArgument>(
        [&] { eagle::copy(cpu(), at, at, sizeof x, static_cast<eagle::CopyKind>(9)); }, {"memcpy of 8 bytes", "9"});
    EXPECT_NO_THROW(eagle::copy(cpu(), 0, 0, 0, eagle::CopyKind::host_to_host));
}

TEST(ModuleHandle, GivesFunctionsAndVariables) {
    const Module module = Module::load(cpu(), KERNELS_FILE);
    EXPECT_EQ(module.path(), KERNELS_FILE);
    EXPECT_NE(module.function("twice"), module.function("add"));
    const auto tag = module.global("loader_tag");
    ASSERT_TRUE(tag.has_value());
    EXPECT_EQ(tag->bytes, sizeof "forty-two");
    EXPECT_STREQ(reinterpret_cast<const char*>(tag->address), "forty-two");
    EXPECT_FALSE(module.global("loader_tug").has_value());
    expect_thrown<eagle::InvalidArgument>([&] { (void)module.function("thrice"); },
                                          {"sdk_module_function of 'thrice'", KERNELS_FILE});
}

TEST(ModuleHandle, LivesAsLongAsACopyOfIt) {
    std::optional<Module> first = Module::load(cpu(), KERNELS_FILE);
    const Module copy = *first;
    first.reset();
    Stream stream(cpu());
    std::vector<double> x{1.5};
    launch(stream, copy.function("twice"), x);
    stream.synchronize();
    EXPECT_EQ(x.front(), 3.0);
}

TEST(ModuleHandle, NamesAFileThatItCannotLoad) {
    const loader_test::Place place;
    const auto missing = place / "gone.so";
    expect_thrown<eagle::Error>([&] { (void)Module::load(cpu(), missing); }, {"sdk_module_load", missing.string()});
    const auto text = place.write("text.so", "no library");
    expect_thrown<eagle::Error>([&] { (void)Module::load(cpu(), text); }, {"sdk_module_load", text.string()});
}

TEST(ABackendWithoutThem, IsNamedWithWhatItLacks) {
    const Backend zoo = Backend::load("zoo", loader_test::animal("healthy"));
    const auto lacks = [](const auto& call, const std::string& what) {
        expect_thrown<eagle::BackendUnavailable>(call, {"'zoo'", "does not provide " + what});
    };
    lacks([&] { Stream s(zoo); }, "stream");
    lacks([&] { DeviceBuffer b(zoo, 0, 8); }, "eagle_backend_sdk_device_alloc");
    lacks([&] { PinnedBuffer b(zoo, 8); }, "eagle_backend_host_alloc");
    lacks([&] { eagle::copy(zoo, 0, 0, 0, eagle::CopyKind::host_to_host); }, "eagle_backend_memcpy");
    lacks([&] { (void)Module::load(zoo, KERNELS_FILE); }, "eagle_backend_sdk_module_load");
}

}  // namespace
