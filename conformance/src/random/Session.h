// Puts a program through the seam: its memory, its streams, what is recorded, and what comes back. The row ends where
// the backend refuses a call.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "../rows/Graphs.h"
#include "Program.h"

namespace eagle::conformance::random {

enum class Way { captured, eager };

class Session {
  public:
    // Takes memory and makes every stream, fork and conditional that the program needs that way. The program outlives
    // the session, and work is done before it goes.
    Session(Context& c, const Program& program, Way way);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    std::uint64_t stream() const { return stream_.raw(); }
    void put_state(const State& state);
    State state();
    void synchronize() { stream_.synchronize(); }

    // Puts statements [from, to) of the outermost block on the stream, with these constants.
    void put(const Program& constants, std::size_t from, std::size_t to);
    Captured record(const Program& constants, std::size_t from, std::size_t to);

  private:
    // What a statement with blocks was given beforehand.
    struct Made {
        explicit Made(Context& c) : fork(c), conditional(c) {}
        Fork fork;
        Conditional conditional;
        std::vector<StreamHandle> own;    // branches of an eager fork
        std::vector<std::uint64_t> into;  // stream of each block
        std::vector<std::vector<Made>> inner;
    };
    // Memory of the host that a host function works on; it stays until the session goes.
    struct HostWork {
        std::uint64_t address = 0, words = 0, k = 0;
        static void run(void* ctx);
    };

    std::vector<Made> prepare(const Block& block, std::uint64_t stream);
    void prepare_fork(const Statement& s, std::uint64_t stream, Made& made);
    void prepare_conditional(const Statement& s, std::uint64_t stream, Made& made);
    void put(const Block& block, const std::vector<Made>& made, std::uint64_t stream, const Made* fork_around);
    void put_simple(const Statement& s, std::uint64_t stream);
    void put_fork(const Statement& s, const Made& made, std::uint64_t stream);
    void put_conditional(const Statement& s, const Made& made, std::uint64_t stream);
    void put_order(const Statement& s, std::uint64_t stream, const Made& fork);
    void put_host(const Statement& s, std::uint64_t stream);
    void copy(std::uint64_t to, std::uint64_t from, std::int32_t kind, std::uint64_t stream);
    void fence(std::uint64_t producer, std::uint64_t consumer);

    std::uint64_t* plane(std::uint32_t number) const {
        return planes_.pointer() + std::size_t(number) * program_.words;
    }
    std::uint32_t* cell(const Statement& s, std::uint32_t which) const {
        return cells_.pointer() + std::size_t(s.number) * CellsOf::each + which;
    }

    Context& c_;
    const Program& program_;
    const Way way_;
    StreamHandle stream_;
    Buffer<std::uint64_t> planes_;
    Buffer<std::uint32_t> cells_;
    std::vector<std::unique_ptr<HostWork>> host_work_;
    std::vector<Made> made_;
    std::vector<const Made*> eager_forks_;
    std::map<const Made*, std::vector<std::uint64_t>> marked_;  // of each eager fork: the streams of its marks
};

}  // namespace eagle::conformance::random
