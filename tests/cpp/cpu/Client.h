// libeagle_cpu.so through its exported symbols, for tests.
#pragma once
#include <eagle/seam/eagle_backend.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace client {

void* address_of(const char* symbol);  // null when the backend has no such symbol

#define EAGLE_SYMBOL(group, name, since, bound) \
    inline const auto name = reinterpret_cast<decltype(&eagle_backend_##name)>(address_of("eagle_backend_" #name));
#include <eagle/seam/symbols.def>

template <class T>
T make() {
    T desc{};
    desc.struct_size = sizeof desc;
    return desc;
}

// A stream that lives as long as the object.
class Stream {
  public:
    explicit Stream(std::uint32_t flags = 0) {
        auto desc = make<struct eagle_backend_stream_desc>();
        desc.flags = flags;
        EXPECT_EQ(stream_create(&desc, &handle_), EAGLE_BACKEND_OK) << last_error();
        EXPECT_EQ(stream_ptr(handle_, &raw_), EAGLE_BACKEND_OK) << last_error();
    }
    ~Stream() { stream_release(handle_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    eagle_backend_stream handle() const { return handle_; }
    std::uint64_t raw() const { return raw_; }
    void synchronize() const { EXPECT_EQ(stream_synchronize(handle_), EAGLE_BACKEND_OK) << last_error(); }

  private:
    eagle_backend_stream handle_ = nullptr;
    std::uint64_t raw_ = 0;
};

using Entry = void (*)(void* const* params, std::int64_t base, std::int64_t count, std::int64_t n_samples);

// A launch whose arguments are the given values, each passed by its address.
template <class... Arguments>
class Launch {
  public:
    Launch(Entry entry, std::int64_t base, std::int64_t count, std::uint64_t stream, Arguments&... arguments)
        : params_{reinterpret_cast<std::uint64_t>(&arguments)...}, sizes_{sizeof(Arguments)...} {
        desc = make<struct eagle_backend_launch_desc>();
        desc.block = 256;
        desc.function = reinterpret_cast<std::uint64_t>(entry);
        desc.params = params_.data();
        desc.param_sizes = sizes_.data();
        desc.nparams = sizeof...(Arguments);
        desc.base = base;
        desc.count = count;
        desc.n_samples = base + count;
        desc.stream = stream;
        options = make<struct eagle_backend_sdk_launch_options>();
    }
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;
    void run() {
        std::int32_t launched = -1;
        EXPECT_EQ(sdk_launch(&desc, &options, &launched), EAGLE_BACKEND_OK) << last_error();
        EXPECT_EQ(launched, 1);
    }

    struct eagle_backend_launch_desc desc;
    struct eagle_backend_sdk_launch_options options;

  private:
    std::array<std::uint64_t, sizeof...(Arguments)> params_, sizes_;
};

inline ::testing::AssertionResult says(eagle_backend_status found, eagle_backend_status wanted,
                                       const std::string& words) {
    std::string text = last_error();
    if (found != wanted)
        return ::testing::AssertionFailure() << "status " << found << ", not " << wanted << ": " << text;
    if (text.find(words) == std::string::npos)
        return ::testing::AssertionFailure() << "'" << text << "' has no '" << words << "'";
    return ::testing::AssertionSuccess();
}

}  // namespace client
