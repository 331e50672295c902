// The examples of eagle/ExecGraph.h, one a case. Those that are not 0 must not compile.
#include <eagle/Graph.h>
#include <eagle/hip/Graph.h>

#include <string>
#include <vector>

namespace {

template <eagle::ExecGraph G>
void twice(G& graph, const std::function<void(std::uint64_t stream, std::uint64_t room)>& put) {
    const eagle::ScratchRef room = graph.reserve(4096);
    graph.finalize();
    graph.capture([&](eagle::CaptureScope& scope) { put(scope.stream(), graph.address(room)); });
    graph.launch();
    graph.launch();
    graph.synchronize();
}

// All that the concept asks for, without the device.
class Whole {
  public:
    static constexpr std::string_view kind = "whole";
    Whole() = default;
    Whole(Whole&&) noexcept = default;
    Whole& operator=(Whole&&) noexcept = default;
    eagle::ScratchRef reserve(std::uint64_t) { return {}; }
    std::uint64_t arena_bytes() const { return 0; }
    void finalize() {}
    bool finalized() const { return true; }
    std::uint64_t address(eagle::ScratchRef) const { return 0; }
    bool capture(const std::function<void(eagle::CaptureScope&)>&) { return false; }
    std::span<const eagle::NativeNode> native_nodes() const { return {}; }
    void launch() {}
    void synchronize() {}
};
static_assert(eagle::ExecGraph<Whole>);
static_assert(eagle::ExecGraph<eagle::Graph>);
static_assert(eagle::ExecGraph<eagle::cpu::Graph> && eagle::ExecGraph<eagle::cuda::Graph> &&
              eagle::ExecGraph<eagle::hip::Graph>);
static_assert(eagle::cpu::Graph::kind == "cpu" && eagle::cuda::Graph::kind == "cuda" &&
              eagle::hip::Graph::kind == "hip");

struct Copied : Whole {
    Copied(const Copied&) {}
    Copied(Copied&&) noexcept = default;
    Copied& operator=(Copied&&) noexcept = default;
};
struct Loose : Whole {
    std::string kind;
};
struct Changing : Whole {
    static std::string_view kind;
};
class Unfinished : public Whole {
    void finalize() {}
};
struct WithoutTable : Whole {
    std::vector<int> native_nodes() const { return {}; }
};

#if CASE == 1  // vector
static_assert(eagle::ExecGraph<std::vector<int>>);
#elif CASE == 2  // copy
eagle::Graph copy(const eagle::Graph& graph) { return graph; }
#elif CASE == 3  // copied
static_assert(eagle::ExecGraph<Copied>);
#elif CASE == 4  // loose
static_assert(eagle::ExecGraph<Loose>);
#elif CASE == 5  // changing
static_assert(eagle::ExecGraph<Changing>);
#elif CASE == 6  // unfinished
static_assert(eagle::ExecGraph<Unfinished>);
#elif CASE == 7  // table
static_assert(eagle::ExecGraph<WithoutTable>);
#elif CASE == 8  // template
void use(std::vector<int>& none) { twice(none, {}); }
#else
[[maybe_unused]] void use(Whole& whole, eagle::Graph& graph) {
    twice(whole, {});
    twice(graph, {});
}
#endif

}  // namespace
