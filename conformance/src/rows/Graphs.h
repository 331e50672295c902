// Captures, graphs, forks and conditionals for rows. The row ends where the backend refuses one of these calls.
#pragma once
#include <eagle/conformance/Buffer.h>
#include <eagle/conformance/Context.h>
#include <eagle/conformance/Handles.h>
#include <eagle/conformance/Launch.h>
#include <eagle/conformance/Row.h>

#include <cstdint>
#include <string>
#include <vector>

namespace eagle::conformance {

using Words = std::vector<std::int64_t>;
using Plane = Buffer<std::int64_t>;
using Cells = Buffer<std::uint32_t>;
using Nodes = std::vector<std::uint64_t>;

// The status, and a part of the words that last_error has for it.
#define ROW_SAYS(c, call, wanted, words) \
    ::eagle::conformance::says(c, __FILE__, __LINE__, #call, (call), (wanted), words)
void says(Context& c, const char* file, int line, const char* call, eagle_backend_status found,
          eagle_backend_status wanted, const std::string& words);
// Any refusal: not OK, with words.
#define ROW_REFUSED(c, call) ::eagle::conformance::refused(c, __FILE__, __LINE__, #call, (call))
void refused(Context& c, const char* file, int line, const char* call, eagle_backend_status found);

// A capture of a stream, open until end() or until the object goes.
class Recording {
  public:
    Recording(Context& c, std::uint64_t stream);
    eagle_backend_capturer handle() const { return capturer_.get(); }
    Captured end();

  private:
    Context& c_;
    Capturer capturer_;
};

Graph as_it_is(Context& c, Captured captured);
Graph new_graph(Context& c);
void add(Context& c, const Graph& graph, Captured captured);
Launcher launcher_of(Context& c, const Graph& graph, std::uint64_t stream);
void launch(Context& c, const Launcher& launcher);
// Launches and waits.
void replay(Context& c, const Launcher& launcher);

Fork make_fork(Context& c, std::uint64_t origin, std::uint64_t branches, std::uint64_t waits = 0);
std::uint64_t branch(Context& c, const Fork& fork, std::uint64_t i);
void fork(Context& c, const Fork& fork);
void join(Context& c, const Fork& fork);

struct eagle_backend_conditional_desc desc_of(std::uint64_t origin, std::uint32_t kind, const Cells& cells,
                                              std::size_t count_at = 0);
Conditional make_conditional(Context& c, const struct eagle_backend_conditional_desc& desc);
std::uint64_t begin(Context& c, const Conditional& conditional);
std::uint64_t arm(Context& c, const Conditional& conditional, std::uint64_t i);
void end(Context& c, const Conditional& conditional);
Nodes nodes_of(Context& c, const Conditional& conditional, std::int64_t arm);

// Of the graph that the stream's work goes to.
Nodes nodes_so_far(Context& c, std::uint64_t stream);

// y = 2 y + add: the order of two such launches shows in the result.
void twice_and(Context& c, std::uint64_t stream, std::int64_t add, const Plane& y);
// What that sequence leaves of `from`.
std::int64_t after(std::int64_t from, const std::vector<std::int64_t>& adds);

// A capture of a sequence of twice_and on y.
Captured capture_of(Context& c, std::uint64_t stream, const Plane& y, const std::vector<std::int64_t>& adds);

// For calls that may not crash: handles that were never given out, or are given out no more.
inline constexpr std::uint64_t made_up = 0x1234567890;
// A description that is larger than any backend knows, with zeros behind the part that it knows.
template <class T>
struct Larger {
    T desc{};
    unsigned char behind[4096 - sizeof(T)] = {};
    Larger() { desc.struct_size = sizeof *this; }
};

}  // namespace eagle::conformance
