// Run with $EAGLE_CPU_THREADS set to what is no number: the backend loads, and says so where work would start.
#include "Client.h"

using client::says;

namespace {

constexpr char words[] = "$EAGLE_CPU_THREADS is 'many'; it must be a whole number from 1 to 4096";

TEST(BadBudget, is_told_where_work_would_start) {
    EXPECT_TRUE(says(client::probe(), EAGLE_BACKEND_UNAVAILABLE, words));
    auto desc = client::make<struct eagle_backend_stream_desc>();
    eagle_backend_stream stream = nullptr;
    EXPECT_TRUE(says(client::stream_create(&desc, &stream), EAGLE_BACKEND_UNAVAILABLE, words));
    int argument = 0;
    std::int32_t launched = -1, count = -1;
    client::Launch launch([](void* const*, std::int64_t, std::int64_t, std::int64_t) {}, 0, 1, 0, argument);
    EXPECT_TRUE(says(client::run_device(&launch.desc, &launched), EAGLE_BACKEND_UNAVAILABLE, words));
    ASSERT_EQ(client::sdk_device_count(&count), EAGLE_BACKEND_OK);
    EXPECT_EQ(count, 0);
    std::uint64_t bits = 0;
    EXPECT_EQ(client::capabilities(&bits), EAGLE_BACKEND_OK);
}

}  // namespace
