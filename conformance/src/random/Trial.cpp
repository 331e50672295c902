#include "Trial.h"

#include <algorithm>

namespace eagle::conformance::random {
namespace {

constexpr Symbol for_programs[] = {Symbol::stream_create,    Symbol::stream_synchronize,   Symbol::run_device,
                                   Symbol::memcpy,           Symbol::capturer_begin,       Symbol::capturer_end,
                                   Symbol::captured_release, Symbol::graph_from_captured,  Symbol::graph_launcher,
                                   Symbol::launcher_launch,  Symbol::launcher_synchronize, Symbol::sdk_device_alloc,
                                   Symbol::sdk_device_free};

bool provides_all(const Facts& facts, std::initializer_list<Symbol> symbols) {
    return std::all_of(symbols.begin(), symbols.end(), [&](Symbol symbol) { return facts.provides(symbol); });
}

bool has_bit(const Facts& facts, std::uint64_t bit) { return (facts.capabilities & bit) != 0; }

bool is_fork(const Statement& s) { return s.what == Do::fork; }

class Trial {
  public:
    Trial(Context& c, const Program& program, std::uint64_t salt, const Oracle& oracle)
        : c_(c), program_(program), salt_(salt), oracle_(oracle) {}

    Finding run() {
        const bool fences = c_.facts.provides(Symbol::fence);
        if (program_.conditionals == 0 && (fences || !holds(program_.block, is_fork))) eagerly();
        if (finding_.text.empty()) captured();
        return finding_;
    }

  private:
    bool chance(std::uint64_t one_in) {
        salt_ = salt_ * 6364136223846793005u + 1442695040888963407u;
        return (salt_ >> 33u) % one_in == 0;
    }
    // Both states move on by the same runs.
    bool agrees(Session& session, State& wanted, const Program& program, int runs, const std::string& what) {
        for (int i = 0; i < runs; ++i) oracle_(program, wanted);
        finding_.replays += static_cast<std::uint64_t>(runs);
        const std::string text = difference(session.state(), wanted);
        if (!text.empty()) finding_.text = what + ": " + text;
        return text.empty();
    }

    void eagerly() {
        Session session(c_, program_, Way::eager);
        State wanted = first_state(program_);
        session.put_state(wanted);
        session.put(program_, 0, program_.block.size());
        session.synchronize();
        agrees(session, wanted, program_, 1, "run eagerly");
    }

    void captured() {
        Session session(c_, program_, Way::captured);
        State wanted = first_state(program_);
        session.put_state(wanted);
        const bool is_one = program_.conditionals != 0 || chance(2);
        const Graph graph =
            is_one ? as_it_is(c_, session.record(program_, 0, program_.block.size())) : in_parts(session);
        const std::string way = is_one ? "captured as it is" : "captured in parts";
        if (!difference(session.state(), wanted).empty()) {
            finding_.text = way + ", before the first replay: " + difference(session.state(), wanted);
            return;
        }
        std::vector<Launcher> launchers;
        launchers.push_back(launcher_of(c_, graph, session.stream()));
        if (program_.conditionals == 0 && chance(3)) launchers.push_back(launcher_of(c_, graph, session.stream()));
        for (int replay = 1; replay <= 3; ++replay) {
            const int runs = chance(3) ? 2 : 1;
            const Launcher& launcher = launchers[std::size_t(replay) % launchers.size()];
            for (int i = 0; i < runs; ++i) launch(c_, launcher);
            ROW_OK(c_, c_.seam.launcher_synchronize(launcher.get()));
            if (!agrees(session, wanted, program_, runs, way + ", replay " + std::to_string(replay))) return;
        }
        if (is_one && program_.conditionals == 0 && c_.facts.provides(Symbol::launcher_exec_update) && chance(3)) {
            updated(session, launchers[0], wanted);
        }
    }

    // Captures of consecutive statements, one child node each.
    Graph in_parts(Session& session) {
        Graph graph = new_graph(c_);
        const std::size_t n = program_.block.size(), parts = chance(2) ? 1 : std::min<std::size_t>(n, 3);
        for (std::size_t part = 0; part < parts; ++part) {
            add(c_, graph, session.record(program_, part * n / parts, (part + 1) * n / parts));
        }
        return graph;
    }

    // The same program with other constants, taken over by the launcher.
    void updated(Session& session, const Launcher& launcher, State& wanted) {
        Program other = program_;
        for (Statement& s : other.block) {
            if (s.what == Do::mix) s.k += 1000;
        }
        const Captured captured = session.record(other, 0, other.block.size());
        std::int32_t fits = -1;
        ROW_OK(c_, c_.seam.launcher_exec_update(launcher.get(), captured.get(), &fits));
        if (fits != 1) {
            finding_.text = "a capture of the same program does not update its launcher";
            return;
        }
        launch(c_, launcher);
        ROW_OK(c_, c_.seam.launcher_synchronize(launcher.get()));
        agrees(session, wanted, other, 1, "updated with other constants");
    }

    Context& c_;
    const Program& program_;
    std::uint64_t salt_;
    const Oracle& oracle_;
    Finding finding_;
};

}  // namespace

std::string absent_for_programs(const Facts& facts) {
    std::string absent;
    for (Symbol symbol : for_programs) {
        if (!facts.provides(symbol)) absent += (absent.empty() ? "" : ", ") + std::string(name_of(symbol));
    }
    return absent;
}

Abilities abilities_of(const Facts& facts) {
    Abilities a;
    a.forks = provides_all(facts, {Symbol::fork_create, Symbol::fork_fork, Symbol::fork_join});
    a.marks = a.forks && provides_all(facts, {Symbol::fork_mark, Symbol::fork_wait});
    a.ifs = provides_all(facts, {Symbol::conditional_create, Symbol::conditional_begin});
    const bool arms = a.ifs && facts.provides(Symbol::conditional_arm_stream);
    a.if_else = arms && has_bit(facts, EAGLE_BACKEND_CAP_CONDITIONAL_IF_ELSE);
    a.switches = arms && has_bit(facts, EAGLE_BACKEND_CAP_CONDITIONAL_SWITCH);
    a.fills = facts.provides(Symbol::memset_device);
    a.hosts = provides_all(facts, {Symbol::host_func, Symbol::host_alloc, Symbol::host_free});
    return a;
}

Finding try_program(Context& c, const Program& program, std::uint64_t salt, const Oracle& oracle) {
    Finding finding;
    try {
        finding = Trial(c, program, salt, oracle).run();
    } catch (const RowEnds&) {
    }
    if (finding.text.empty() && !c.failures().empty()) {
        const Failure& first = c.failures().front();
        finding.text = first.file + ":" + std::to_string(first.line) + ": " + first.text;
    }
    return finding;
}

}  // namespace eagle::conformance::random
