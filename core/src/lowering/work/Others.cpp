// Host functions, opaque work, children and conditionals; and which node is which.
#include <eagle/Capture.h>
#include <eagle/Conditional.h>

#include <optional>
#include <utility>

#include "graph/Text.h"
#include "lowering/Recorder.h"
#include "lowering/work/Memory.h"
#include "lowering/work/Reductions.h"

namespace eagle::lowering {
namespace {

class HostWork : public Work {
  public:
    HostWork(Frame& frame, Site& site, std::uint32_t node)
        : site_(site), call_(std::get<graph::HostCall>(frame.node(node).work).call) {}
    std::int64_t native_nodes() const override { return 1; }
    void record(Recorder& recorder, std::uint64_t stream) override {
        ticket_ = recorder.tracing().host_ticket();
        host_function(site_.backend(), stream, &run, this);
    }
    bool notes_itself(Tracing&) const override { return true; }
    void readdress() override {}
    bool repoint(Launcher&) override { return true; }

  private:
    static void run(void* self) {
        auto& work = *static_cast<HostWork*>(self);
        const std::int64_t begin = work.ticket_ ? trace::now() : 0;
        try {
            work.call_();
        } catch (...) {
            work.site_.errors.keep(std::current_exception());
        }
        if (!work.ticket_ || trace::session() != work.ticket_->session) return;
        trace::Session::of_process().note(
            work.ticket_->session, {trace::EventKind::part, work.ticket_->subject, begin, trace::now(), 0, 1, 0});
    }
    Site& site_;
    std::function<void()> call_;
    std::optional<trace::Ticket> ticket_;
};

class OpaqueWork : public Work {
  public:
    OpaqueWork(Frame& frame, std::uint32_t node) : opaque_(std::get<graph::Opaque>(frame.node(node).work)) {}
    std::int64_t native_nodes() const override { return only_the_backend_knows; }
    void record(Recorder&, std::uint64_t stream) override {
        opaque_.call(stream);
        has_moved_ = false;
    }
    // Whether the work looks at planes by their address, only its owner knows.
    void readdress() override { has_moved_ = true; }
    bool repoint(Launcher&) override { return !has_moved_; }

  private:
    const graph::Opaque& opaque_;
    bool has_moved_ = false;
};

class ChildWork : public Work {
  public:
    ChildWork(const graph::Child& child, Site& site) : frame_(make_frame(child.graph, site)) {}
    std::int64_t native_nodes() const override { return only_the_backend_knows; }
    void prepare(Recorder& recorder, std::uint64_t stream) override { recorder.prepare(*frame_, 0, stream); }
    void record(Recorder& recorder, std::uint64_t stream) override { recorder.record(*frame_, 0, stream); }
    void release() override { lowering::release(*frame_); }
    // Its planes stay: one that it shares with the graph around it is not bound anew.
    void readdress() override {}
    bool repoint(Launcher& launcher) override {
        bool all = true;
        for (const auto& work : frame_->works) all = work->repoint(launcher) && all;
        return all;
    }
    Frame* inside() override { return frame_.get(); }

  private:
    std::unique_ptr<Frame> frame_;
};

class ConditionalWork : public Work {
  public:
    ConditionalWork(Frame& frame, Site& site, std::uint32_t node)
        : frame_(frame), site_(site), node_(frame.node(node)) {
        readdress();
    }
    std::int64_t native_nodes() const override { return only_the_backend_knows; }
    std::uint64_t shape() const override {
        std::uint64_t bits = static_cast<std::uint64_t>(cells_.kind) << 1 | 1;
        for (const bool is_there : {cells_.guard != 0, cells_.baseline != 0, cells_.negate, cells_.cap != uncapped,
                                    cells_.counter != 0, cells_.limit != 0, cells_.brk != 0})
            bits = bits << 1 | static_cast<std::uint64_t>(is_there);
        return bits << 32 | arms_.size();
    }
    void prepare(Recorder& recorder, std::uint64_t stream) override {
        conditional_.emplace(site_.backend(), site_.device(), stream, cells_);
        for (std::size_t arm = 0; arm < arms_.size(); ++arm)
            recorder.prepare(frame_, arms_[arm], conditional_->stream(arm));
    }
    void record(Recorder& recorder, std::uint64_t) override {
        conditional_->begin();
        for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
            const std::uint64_t stream = conditional_->stream(arm);
            recorder.begin_graph(stream);
            recorder.record(frame_, arms_[arm], stream);
            recorder.end_graph();
        }
        conditional_->end();
    }
    void release() override { conditional_.reset(); }
    void readdress() override {
        cells_ = {};
        std::visit([this](const auto& work) { describe(work); }, node_.work);
    }
    bool repoint(Launcher& launcher) override {
        // The node that sets the guard comes first, the one that decides last.
        if (!launcher.can_set_conditional() || handles.empty()) return false;
        launcher.set_conditional(handles.back(), cells_);
        return true;
    }

  private:
    void describe(const graph::Guard& guard) {
        cells_.guard = frame_.cell(guard.cell);
        cells_.baseline = frame_.cell(guard.baseline);
        cells_.negate = guard.negate;
    }
    void describe(const graph::If& chosen) {
        cells_.kind = chosen.otherwise == graph::none ? ConditionalKind::if_ : ConditionalKind::if_else;
        describe(chosen.guard);
        arms_ = {chosen.then};
        if (chosen.otherwise != graph::none) arms_.push_back(chosen.otherwise);
    }
    void describe(const graph::While& loop) {
        cells_.kind = ConditionalKind::while_;
        if (loop.guard) {
            describe(*loop.guard);
        } else {
            cells_.guard = site_.executor.address(site_.zero);  // 0 is 0 in every turn
            cells_.negate = true;
        }
        cells_.cap = loop.cap.value_or(uncapped);
        cells_.counter = frame_.at(loop.counter);
        cells_.limit = frame_.cell(loop.limit);
        cells_.brk = stop_of(frame_, site_, loop);
        arms_ = {loop.body};
    }
    void describe(const graph::Switch& chosen) {
        cells_.kind = ConditionalKind::switch_;
        cells_.guard = frame_.cell(chosen.cell);
        cells_.arms = static_cast<std::uint32_t>(chosen.arms.size());
        arms_ = chosen.arms;
    }
    template <class Other>
    void describe(const Other&) {}

    Frame& frame_;
    Site& site_;
    const graph::Node& node_;
    ConditionalCells cells_;
    std::vector<std::uint32_t> arms_;  // bodies
    std::optional<Conditional> conditional_;
};

}  // namespace

bool Work::notes_itself(Tracing&) const { return false; }
void Work::prepare(Recorder&, std::uint64_t) {}
void Work::release() {}
void Work::undo() {}
bool Work::set_number(std::string_view, const marshal::Value&) { return false; }
bool Work::set_bytes(std::string_view, std::span<const std::byte>) { return false; }

std::uint64_t stop_of(const Frame& frame, const Site& site, const graph::While& loop) {
    if (loop.stop || !site.backend().host_only()) return frame.cell(loop.stop);
    return site.executor.address(site.halt);
}

std::unique_ptr<Work> make_child_work(const graph::Child& child, Site& site) {
    return std::make_unique<ChildWork>(child, site);
}

std::unique_ptr<Work> make_work(Frame& frame, Site& site, std::uint32_t node) {
    const graph::Work& work = frame.node(node).work;
    if (std::holds_alternative<graph::Launch>(work)) return std::make_unique<PlanWork>(frame, site, node);
    if (std::holds_alternative<graph::Function>(work)) return std::make_unique<FunctionWork>(frame, site, node);
    if (std::holds_alternative<graph::Copy>(work)) return std::make_unique<CopyWork>(frame, site, node);
    if (std::holds_alternative<graph::Fill>(work)) return make_fill(frame, site, node);
    if (std::holds_alternative<graph::HostCall>(work)) return std::make_unique<HostWork>(frame, site, node);
    if (std::holds_alternative<graph::Reduce>(work)) return std::make_unique<ReduceWork>(frame, site, node);
    if (std::holds_alternative<graph::Compact>(work)) return std::make_unique<CompactWork>(frame, site, node);
    if (std::holds_alternative<graph::Opaque>(work)) return std::make_unique<OpaqueWork>(frame, node);
    return std::make_unique<ConditionalWork>(frame, site, node);
}

}  // namespace eagle::lowering
