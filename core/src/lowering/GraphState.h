// What a BuiltGraph holds.
#pragma once
#include <eagle/BuiltGraph.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "exec/Busy.h"
#include "exec/Kept.h"
#include "lowering/Frame.h"

namespace eagle {

struct BuiltGraph::State {
    State(Executor of, std::shared_ptr<const GraphDescription> description, const LowerOptions& options);
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    // Records the frame as it stands. `why` is what the report says of it.
    void capture(const std::string& why);
    // Makes the executable do what the changed works would record, by the launcher's calls where they can; what they
    // cannot is captured by the next launch.
    void apply(const std::vector<std::uint32_t>& changed, const std::string& what);
    void launch(std::int64_t times, const std::uint64_t* stream);
    void launch_watched(std::int64_t times, const Poll& poll);
    void synchronize();
    bool watchable() const { return host_only && has_loops; }
    std::string called() const;
    // Of a launch that ended between two replays.
    std::string interrupted_text(std::int64_t whole, std::int64_t times) const;

    void bind(std::span<const Binding> bindings);
    void keep_until_done(std::shared_ptr<const void> owner);
    void set_enabled(std::string_view node, bool enabled);

    Executor executor;
    lowering::Site site;
    std::unique_ptr<lowering::Frame> frame;
    std::vector<std::vector<std::uint32_t>> users;  // by plane that is no view: nodes that use it or a view of it
    std::vector<std::uint8_t> written;              // by plane: a node writes it
    std::vector<std::shared_ptr<const void>> owners;
    std::map<std::uint32_t, std::shared_ptr<const void>> plane_owners;
    exec::Kept kept;                         // owners of arrays that were replaced while replays use them
    std::map<std::uint32_t, bool> disabled;  // nodes that were
    // Guards what others may ask for while the one caller is inside: the report, the owners of planes, and addresses.
    mutable std::mutex asked;
    ReplayReport report;  // without launches
    std::atomic<std::uint64_t> launches{0};
    std::string stale;  // why the executable is not what the frame says; empty when it is
    bool host_only;
    bool has_loops = false;
    exec::Claim busy{0};

  private:
    bool record(bool careful);
    void say(std::string what);  // what the report calls the last change
    void fill_native_nodes();
    void restore_disabled();
    void raise_faults();
    void follow_trace();
    void enable(std::uint32_t node, bool enabled);
    void replay();
    void begin_launch();
    void halt_loops();
    trace::SessionId seen_ = 0;  // the recording that ran at the last launch
};

namespace lowering {

// Every graph has its planes on one device, and that is the executor's. Throws BufferRefused naming one plane.
void check_device(const GraphDescription& description, const GraphAnalysis& analysis, const Executor& executor);

}  // namespace lowering

}  // namespace eagle
