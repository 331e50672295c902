#include "Driver.h"

#include "Kind.h"

namespace eagle::gpu {
namespace {

[[noreturn]] void refuse_conditional() {
    throw Failure(EAGLE_BACKEND_UNAVAILABLE, std::string("kind ") + this_kind.name + " has no conditional nodes");
}

}  // namespace

std::optional<std::vector<std::uint64_t>> Driver::parameter_sizes(RawFunction) { return {}; }

int Driver::device_in_use() { return 0; }

bool Driver::is_blocking(RawStream) { return false; }

bool Driver::moves_children() { return false; }

std::uint64_t Driver::create_condition(RawGraph) { refuse_conditional(); }

ConditionalNode Driver::add_conditional(RawGraph, const std::vector<RawNode>&, std::uint64_t, std::uint32_t, unsigned) {
    refuse_conditional();
}

void Driver::begin_capture_into(RawStream, RawGraph) { refuse_conditional(); }

}  // namespace eagle::gpu
