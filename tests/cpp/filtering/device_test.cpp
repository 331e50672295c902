// What the device of kind cpu says of itself. The peaks depend on the environment that the program is run with.
#include <sched.h>

#include <cstdlib>
#include <cstring>

#include "../../../backends/common/host/Machine.h"
#include "Client.h"

using client::says;
using eagle::host::cpuinfo_value;

namespace {

using Props = struct eagle_backend_device_props;

std::string asked() {
    const char* text = std::getenv("EAGLE_CPU_CALIBRATE");
    return text ? text : "";
}

void expect_no_peaks(const Props& props) {
    for (double peak : {props.peak_bytes_per_s, props.peak_flops_sp, props.peak_flops_dp, props.fp64_ratio,
                        props.ridge_flops_per_byte_sp, props.ridge_flops_per_byte_dp}) {
        EXPECT_EQ(peak, 0);
    }
}

void expect_peaks(const Props& props) {
    EXPECT_GT(props.peak_bytes_per_s, 1e6);
    EXPECT_GT(props.peak_flops_sp, 1e6);
    EXPECT_GT(props.peak_flops_dp, 1e6);
    EXPECT_DOUBLE_EQ(props.fp64_ratio, props.peak_flops_dp / props.peak_flops_sp);
    EXPECT_DOUBLE_EQ(props.ridge_flops_per_byte_sp, props.peak_flops_sp / props.peak_bytes_per_s);
    EXPECT_DOUBLE_EQ(props.ridge_flops_per_byte_dp, props.peak_flops_dp / props.peak_bytes_per_s);
    auto again = client::make<Props>();
    ASSERT_EQ(client::device_props(-1, &again), EAGLE_BACKEND_OK);
    EXPECT_EQ(std::memcmp(&again, &props, sizeof again), 0);  // measured once
}

TEST(Device, peaks_are_measured_where_the_environment_asks) {
    auto props = client::make<Props>();
    const auto status = client::device_props(0, &props);
    if (asked() == "1") {
        ASSERT_EQ(status, EAGLE_BACKEND_OK) << client::last_error();
        expect_peaks(props);
    } else if (asked().empty() || asked() == "0") {
        ASSERT_EQ(status, EAGLE_BACKEND_OK) << client::last_error();
        expect_no_peaks(props);
    } else {
        EXPECT_TRUE(says(status, EAGLE_BACKEND_INVALID_ARGUMENT,
                         "$EAGLE_CPU_CALIBRATE is '" + asked() + "'; it must be 1 (measure the peaks), 0, or not set"));
    }
}

TEST(DeviceProps, name_and_numbers_are_the_system_s) {
    auto props = client::make<Props>();
    ASSERT_EQ(client::device_props(0, &props), EAGLE_BACKEND_OK) << client::last_error();
    EXPECT_EQ(props.struct_size, 368u);
    EXPECT_EQ(props.device, 0);
    EXPECT_NE(props.name[0], '\0');
    cpu_set_t mask;
    ASSERT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
    EXPECT_EQ(props.sm_count, CPU_COUNT(&mask));
    EXPECT_TRUE(props.warp_size == 1 || props.warp_size == 2 || props.warp_size == 4 || props.warp_size == 8);
    EXPECT_GE(props.clock_rate_khz, 0);
    EXPECT_GE(props.shared_mem_per_block, 0);
    EXPECT_LE(props.shared_mem_per_block, props.shared_mem_per_sm);
    EXPECT_EQ(props.cc_major, 0);
    EXPECT_EQ(props.regs_per_sm, 0);
}

TEST(DeviceProps, output_rule_and_refusals) {
    auto props = client::make<Props>();
    props.struct_size = 8;
    props.name[0] = '?';
    ASSERT_EQ(client::device_props(0, &props), EAGLE_BACKEND_OK);
    EXPECT_EQ(props.struct_size, 8u);
    EXPECT_EQ(props.name[0], '?');
    props.struct_size = 3;
    EXPECT_TRUE(says(client::device_props(0, &props), EAGLE_BACKEND_INVALID_ARGUMENT, "struct_size is 3"));
    EXPECT_TRUE(says(client::device_props(1, &props), EAGLE_BACKEND_INVALID_ARGUMENT, "device is 1"));
    EXPECT_TRUE(says(client::device_props(-2, &props), EAGLE_BACKEND_INVALID_ARGUMENT, "device is -2"));
    EXPECT_TRUE(says(client::device_props(0, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT, "props is null"));
}

TEST(Machine, values_of_cpuinfo) {
    const std::string text = "processor\t: 0\nmodel\t\t: 17\nmodel name\t: Some CPU 9\nempty\t:\nmodel name\t: Other\n";
    EXPECT_EQ(cpuinfo_value(text, "model name"), "Some CPU 9");
    EXPECT_EQ(cpuinfo_value(text, "model"), "17");
    EXPECT_EQ(cpuinfo_value(text, "empty"), "");
    EXPECT_EQ(cpuinfo_value(text, "cpu MHz"), "");
    EXPECT_EQ(cpuinfo_value("", "model"), "");
}

}  // namespace
