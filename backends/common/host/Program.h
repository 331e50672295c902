// A graph made ready to run: its nodes in one row, children in place, and who waits for whom.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "RecordedGraph.h"
#include "Schedule.h"
#include "WorkDeque.h"

namespace eagle::host {

// One step, whatever it is: run(op) does it.
struct Op {
    void (*run)(const Op& op) = nullptr;
    KernelCall call;
    std::uint64_t dst = 0, src = 0, bytes = 0;
    void (*fn)(void* ctx) = nullptr;
    void* ctx = nullptr;
};

class Program;

// A conditional node as it runs.
struct Decision {
    Guard guard;
    std::uint32_t arm = Guard::no_arm;  // to run next
    std::vector<std::unique_ptr<Program>> bodies;
};

// One replay at a time; changes only between replays.
class Program {
  public:
    // Nodes are known by the handles that they have in `names`, a graph of the same shape. `fits_sizes`: kernels follow
    // set_logical_size.
    // `loop`: what the tail of a loop's body sets.
    Program(const RecordedGraph& source, const RecordedGraph& names, bool fits_sizes, const Schedule& schedule,
            Decision* loop = nullptr);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    // On this thread, and with the team where that is quicker.
    void replay();
    bool has_host_functions() const { return has_host_functions_; }

    // Where a node is, or null.
    struct Place {
        Program* program = nullptr;
        std::uint32_t op = 0;
    };
    Place find(std::uint64_t node);
    // Nodes of a graph that came in as a foreign child are not to be found.
    void forget_names();
    NodeKind kind(std::uint32_t op) const { return infos_[op].kind; }
    const KeptArguments& arguments(std::uint32_t op) const { return *infos_[op].arguments; }
    void set_arguments(std::uint32_t op, std::shared_ptr<const KeptArguments> arguments);
    // Of a copy: where it goes and how much it is.
    std::uint64_t destination(std::uint32_t op) const { return ops_[op].dst; }
    std::uint64_t bytes(std::uint32_t op) const { return ops_[op].bytes; }
    std::int32_t copy_kind(std::uint32_t op) const { return infos_[op].copy_kind; }
    void set_source(std::uint32_t op, std::uint64_t src) { ops_[op].src = src; }
    void set_enabled(std::uint32_t op, bool enabled);
    const Guard& guard(std::uint32_t op) const { return static_cast<const Decision*>(ops_[op].ctx)->guard; }
    void set_guard(std::uint32_t op, const Guard& guard) { static_cast<Decision*>(ops_[op].ctx)->guard = guard; }
    void set_logical_size(std::int64_t samples);
    // Those that set_logical_size changes or knows to be of a fixed layout.
    std::int64_t kernels_that_fit() const { return kernels_that_fit_; }

  private:
    // What running an op does not need.
    struct Info {
        NodeKind kind = NodeKind::empty;
        bool is_enabled = true;
        bool is_small = false;  // not worth sharing: called as it is
        bool fits_sizes = false;
        bool is_tail = false;
        std::uint32_t block = 1;
        std::int64_t count = 0;  // as it was recorded
        std::int32_t copy_kind = 0;
        std::shared_ptr<const KeptArguments> arguments;
        std::shared_ptr<const std::function<void()>> work;
    };
    using Places = std::vector<std::uint32_t>;

    // Making one (Program.cpp).
    Places take_in(const RecordedGraph& source, const RecordedGraph& names, Places entry, bool fits_sizes,
                   bool has_names);
    std::uint32_t add_op(const Node& node, std::uint64_t name, const Places& after, bool fits_sizes);
    Places joined(Places many);
    Decision* decision_of(const Node& node, const Node& named, const std::vector<Places>& exits, bool has_names);
    void link();
    void choose_run(std::uint32_t op);

    // Running it (ProgramReplay.cpp).
    void look();
    void note(double spent);
    void replay_randomly();
    void replay_shared();
    void follow(std::uint32_t op, WorkDeque& mine);
    void work(std::size_t id);

    std::vector<Op> ops_;
    std::vector<Info> infos_;
    std::vector<Places> after_;  // while it is made
    std::vector<std::uint32_t> waits_, next_,
        first_;  // how many an op waits for; successors of op i: next_[first_[i]..]
    std::unordered_map<std::uint64_t, std::uint32_t> by_handle_;
    std::int64_t kernels_that_fit_ = 0;
    bool has_host_functions_ = false;
    std::vector<std::unique_ptr<Decision>> decisions_;
    Decision* loop_ = nullptr;
    Schedule schedule_;

    double width_ = 1;  // ops / longest path
    double serial_ticks_ = 0;
    std::uint64_t replays_ = 0;
    bool was_surprised_ = false;

    struct Shared {
        std::unique_ptr<std::atomic<std::uint32_t>[]> pending;
        std::unique_ptr<WorkDeque[]> deques;
        std::size_t threads = 0;
        alignas(64) std::atomic<std::uint32_t> leaves_left{0};
    };
    std::unique_ptr<Shared> shared_;
    std::uint32_t leaves_ = 0;
};

}  // namespace eagle::host
