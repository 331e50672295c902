// What a device is.
#include <eagle/conformance/Handles.h>
#include <eagle/conformance/Row.h>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace eagle::conformance;

namespace {

using Props = struct eagle_backend_device_props;

}  // namespace

EAGLE_ROW("device-props", .covers = {Symbol::device_props}) {
    auto props = make<Props>(), again = make<Props>();
    ROW_OK(c, c.seam.device_props(c.device, &props));
    ROW_OK(c, c.seam.device_props(c.device, &again));
    ROW_EQ(c, props.struct_size, std::uint32_t(sizeof(Props)));
    ROW_EQ(c, props.device, c.device);
    ROW_REQUIRE(c, std::memchr(props.name, 0, sizeof props.name) != nullptr);
    ROW_EXPECT(c, props.name[0] != '\0');
    ROW_EQ(c, std::string(again.name), std::string(props.name));
    ROW_EQ(c, again.sm_count, props.sm_count);
    ROW_EXPECT(c, props.sm_count >= 1);
    ROW_EQ(c, props.reserved0, 0);
    for (const std::int32_t value :
         {props.cc_major, props.cc_minor, props.clock_rate_khz, props.memory_clock_rate_khz,
          props.memory_bus_width_bits, props.regs_per_block, props.regs_per_sm, props.warp_size}) {
        ROW_EXPECT(c, value >= 0);  // 0 is what the device does not say
    }
    ROW_EXPECT(c, props.shared_mem_per_block >= 0 && props.shared_mem_per_sm >= 0);
    for (const double value : {props.peak_bytes_per_s, props.peak_flops_sp, props.peak_flops_dp, props.fp64_ratio,
                               props.ridge_flops_per_byte_sp, props.ridge_flops_per_byte_dp}) {
        ROW_EXPECT(c, std::isfinite(value) && value >= 0);
    }
}

EAGLE_ROW("device-props-sizes", .covers = {Symbol::device_props}) {
    auto full = make<Props>();
    ROW_OK(c, c.seam.device_props(c.device, &full));
    struct {
        Props props;
        unsigned char behind[656];
    } room;
    const auto* bytes = reinterpret_cast<const unsigned char*>(&room);
    auto untouched_from = [&](std::size_t at) {
        return std::all_of(bytes + at, bytes + sizeof room, [](unsigned char byte) { return byte == 0x5a; });
    };
    for (const std::uint32_t size : {4u, 8u, 12u, 100u, 264u, 268u, 304u, 320u, 366u, 368u, 1024u}) {
        std::memset(static_cast<void*>(&room), 0x5a, sizeof room);
        room.props.struct_size = size;
        ROW_OK(c, c.seam.device_props(c.device, &room.props));
        const std::uint32_t written = std::min<std::uint32_t>(size, sizeof(Props));
        // A backend of a later minor may write more than this header knows.
        ROW_EXPECT(c, room.props.struct_size >= written && room.props.struct_size <= size);
        ROW_EXPECT(c, untouched_from(room.props.struct_size));
        // Up to the peaks: a name that is cut still ends, so that its last byte may differ.
        const std::uint32_t end = std::min<std::uint32_t>(written, offsetof(Props, clock_rate_khz));
        const auto* known = reinterpret_cast<const unsigned char*>(&full);
        if (end >= offsetof(Props, cc_major)) ROW_EXPECT(c, std::equal(bytes + 4, bytes + end, known + 4));
    }
    for (const std::uint32_t size : {0u, 3u}) {
        std::memset(static_cast<void*>(&room), 0x5a, sizeof room);
        room.props.struct_size = size;
        ROW_STATUS(c, c.seam.device_props(c.device, &room.props), EAGLE_BACKEND_INVALID_ARGUMENT);
        ROW_EXPECT(c, untouched_from(4));
    }
}

EAGLE_ROW("device-props-refusals", .covers = {Symbol::device_props}) {
    auto props = make<Props>();
    for (const std::int32_t device : {-2, -100, c.facts.devices, c.facts.devices + 100}) {
        ROW_STATUS(c, c.seam.device_props(device, &props), EAGLE_BACKEND_INVALID_ARGUMENT);
        ROW_EQ(c, props.name[0], '\0');
    }
    ROW_STATUS(c, c.seam.device_props(c.device, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
}

EAGLE_ROW("device-props-of-the-current-one", .covers = {Symbol::device_props}) {
    auto props = make<Props>();
    ROW_OK(c, c.seam.device_props(-1, &props));
    ROW_EXPECT(c, props.device >= 0 && props.device < c.facts.devices);
}
