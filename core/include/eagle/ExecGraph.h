// The concept of a graph executor, and the one class template that satisfies it.
//
// What satisfies it: a move-only class of one kind, known at compile time, that reserves scratch, commits it with
// finalize(), keeps the table of its native nodes, launches and synchronizes.
//
//     static_assert(eagle::ExecGraph<eagle::Graph>);
//
//     template <eagle::ExecGraph G>                 // builds for every kind, at no cost when it runs
//     void twice(G& graph, const std::function<void(std::uint64_t stream, std::uint64_t room)>& put) {
//         const eagle::ScratchRef room = graph.reserve(4096);
//         graph.finalize();
//         graph.capture([&](eagle::CaptureScope& scope) { put(scope.stream(), graph.address(room)); });
//         graph.launch();
//         graph.launch();
//         graph.synchronize();
//     }
//
// What does not, and why:
//
//     static_assert(eagle::ExecGraph<std::vector<int>>);   // no arena, no finalize(), no launch()
//     eagle::Graph copy = graph;                            // move-only: a copy would own the same device objects
//     struct Copied : eagle::Graph { Copied(const Copied&); };        // ExecGraph<Copied> is false for the same reason
//     struct Loose { std::string kind; /* and all the calls */ };     // the kind is no constant: it could change
//     struct Unfinished { /* all of it without finalize() */ };       // the arena would never be committed
#pragma once
#include <eagle/Executor.h>

#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>

namespace eagle {

template <class G>
concept ExecGraph = std::is_nothrow_move_constructible_v<G> && std::is_nothrow_move_assignable_v<G> &&
                    !std::is_copy_constructible_v<G> && !std::is_copy_assignable_v<G> &&
                    // A kind that the compiler knows.
                    std::same_as<std::remove_cv_t<decltype(G::kind)>, std::string_view> &&
                    requires { typename std::bool_constant<G::kind.empty()>; } && !G::kind.empty() &&
                    requires(G graph, const G& seen, std::uint64_t bytes, ScratchRef room,
                             const std::function<void(CaptureScope&)>& record) {
                        // The scratch arena, and what commits it.
                        { graph.reserve(bytes) } -> std::same_as<ScratchRef>;
                        { seen.arena_bytes() } -> std::same_as<std::uint64_t>;
                        { graph.finalize() } -> std::same_as<void>;
                        { seen.finalized() } -> std::same_as<bool>;
                        { seen.address(room) } -> std::same_as<std::uint64_t>;
                        // The native-node dependency table.
                        { graph.capture(record) } -> std::same_as<bool>;
                        { seen.native_nodes() } -> std::same_as<std::span<const NativeNode>>;
                        // Replay.
                        { graph.launch() } -> std::same_as<void>;
                        { graph.synchronize() } -> std::same_as<void>;
                    };

namespace detail {
EAGLE_API Backend backend_of_executor(std::string_view kind);
}

// `Kind` has the name of a kind as its constant `name`. What the kind cannot do, its calls refuse by name when they are
// made: the class of a kind whose backend is not there compiles.
template <class Kind>
class GraphOf : public Executor {
  public:
    static constexpr std::string_view kind = Kind::name;
    // Throws BackendUnavailable when the kind is not there, naming eagle::cpu::Graph as the one that always is.
    explicit GraphOf(std::int32_t ordinal = 0) : Executor(detail::backend_of_executor(kind), ordinal) {}
};

}  // namespace eagle
