#include <eagle/ExecGraph.h>
#include <eagle/Memory.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "backend/Entry.h"

namespace eagle {

struct Executor::State {
    State(const Backend& backend, std::int32_t device) : stream(backend, device) {}

    // Destroyed from the last to the first: what replays goes before what it replays with.
    Stream stream;
    std::uint64_t arena_bytes = 0;
    std::optional<DeviceBuffer> arena;
    std::optional<NativeGraph> graph;
    std::optional<Launcher> launcher;
    std::vector<NativeNode> nodes;
    bool finalized = false;
};

Executor::Executor(const Backend& backend, std::int32_t device) : state_(std::make_unique<State>(backend, device)) {}
Executor::~Executor() = default;
Executor::Executor(Executor&&) noexcept = default;
Executor& Executor::operator=(Executor&&) noexcept = default;

Executor::State& Executor::state() const {
    if (state_) return *state_;
    throw BadHandle("eagle: this graph executor was moved from; needs one that holds a device");
}

const Backend& Executor::backend() const { return state().stream.backend(); }
std::int32_t Executor::device() const { return state().stream.device(); }
const Stream& Executor::stream() const { return state().stream; }
Stream& Executor::stream() { return state().stream; }

ScratchRef Executor::reserve(std::uint64_t bytes, std::uint64_t align) {
    State& s = state();
    if (s.finalized)
        throw InvalidArgument("eagle: the scratch arena of this graph is committed, with " +
                              std::to_string(s.arena_bytes) + " bytes; reserve all of it before finalize()");
    if (align == 0 || align > alignment || (align & (align - 1)) != 0)
        throw InvalidArgument("eagle: scratch aligned to " + std::to_string(align) +
                              " bytes; the alignment must be a power of two up to " + std::to_string(alignment));
    const std::uint64_t from = (s.arena_bytes + align - 1) & ~(align - 1);
    std::uint64_t to = 0;
    if (from < s.arena_bytes || __builtin_add_overflow(from, bytes, &to))
        throw OutOfMemory("eagle: scratch of " + std::to_string(bytes) + " bytes beside " +
                          std::to_string(s.arena_bytes) + " is more than 64 bits count; use smaller planes");
    s.arena_bytes = to;
    return {from, bytes};
}

std::uint64_t Executor::arena_bytes() const { return state().arena_bytes; }
bool Executor::finalized() const { return state().finalized; }

void Executor::finalize() {
    State& s = state();
    if (s.finalized)
        throw InvalidArgument("eagle: the scratch arena of this graph is committed already; finalize() once");
    if (s.arena_bytes != 0) {
        DeviceBuffer arena(backend(), device(), s.arena_bytes, s.stream.native());
        clear(backend(), arena.address(), arena.bytes(), s.stream.native());
        s.stream.synchronize();
        s.arena.emplace(std::move(arena));
    }
    s.finalized = true;
}

std::uint64_t Executor::address(ScratchRef room) const {
    const State& s = state();
    if (!s.finalized)
        throw InvalidArgument("eagle: the scratch arena of this graph has no address yet; call finalize() first");
    if (room.offset > s.arena_bytes || room.bytes > s.arena_bytes - room.offset)
        throw InvalidArgument("eagle: bytes " + std::to_string(room.offset) + " to " +
                              std::to_string(room.offset + room.bytes) + " are not of this arena, which has " +
                              std::to_string(s.arena_bytes));
    return s.arena ? s.arena->address() + room.offset : 0;
}

bool Executor::capture(const std::function<void(CaptureScope&)>& record) {
    State& s = state();
    if (!s.finalized)
        throw InvalidArgument(
            "eagle: the scratch arena of this graph is not committed; call finalize() before capture()");
    backend().require(Group::graph);
    backend().require(Group::launcher);
    CaptureScope scope(s.stream);
    scope.record([&] { record(scope); });
    Captured captured = scope.end();
    if (s.launcher && s.launcher->can_update() && s.launcher->update(captured)) return true;
    NativeGraph graph(captured);
    Launcher launcher(graph, s.stream.native());
    s.launcher = std::move(launcher);
    s.graph = std::move(graph);
    return false;
}

bool Executor::captured() const { return state().launcher.has_value(); }

void Executor::set_native_nodes(std::vector<NativeNode> nodes) { state().nodes = std::move(nodes); }
std::span<const NativeNode> Executor::native_nodes() const { return state().nodes; }

Launcher& Executor::launcher() {
    State& s = state();
    if (s.launcher) return *s.launcher;
    throw BadHandle("eagle: nothing was captured for this graph; call capture(), or lower() a description onto it");
}

Backend detail::backend_of_executor(std::string_view kind) {
    try {
        return Backend::load(kind);
    } catch (const BackendUnavailable& error) {
        throw BackendUnavailable(std::string(error.what()) + "; eagle::" + std::string(kind) +
                                 "::Graph needs that backend (eagle::Graph is eagle::cuda::Graph where eagle was built "
                                 "without EAGLE_CPU_ONLY), and eagle::cpu::Graph that of this machine's processor");
    }
}

void Executor::launch() { launcher().launch(); }
void Executor::synchronize() { launcher().synchronize(); }

}  // namespace eagle
