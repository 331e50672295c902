// Nodes that launch kernels.
#pragma once
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "lowering/Frame.h"
#include "lowering/KernelCall.h"

namespace eagle::lowering {

class KernelWork : public Work {
  public:
    std::int64_t native_nodes() const override { return static_cast<std::int64_t>(calls_.size()); }
    void record(Recorder& recorder, std::uint64_t stream) override;
    bool repoint(Launcher& launcher) override;
    bool notes_itself(Tracing& tracing) const override;

  protected:
    explicit KernelWork(Site& site) : site_(site) {}
    Site& site_;
    std::vector<KernelCall> calls_;

  private:
    bool is_traced_ = false;  // what was captured last has a ticket before its arguments
};

// A kernel of an artifact, once a partition.
class PlanWork : public KernelWork {
  public:
    PlanWork(Frame& frame, Site& site, std::uint32_t node);
    void readdress() override;
    bool set_number(std::string_view name, const marshal::Value& value) override;
    void undo() override;

  private:
    void check_structure() const;
    void make_calls();
    Frame& frame_;
    const graph::Launch& launch_;
    const Kernel& kernel_;                      // of the kind that the graph runs on
    graph::NamedArguments arguments_, before_;  // with the numbers that were given last, and those before
    std::uint64_t control_ = 0;
    marshal::Packed packed_;
};

class FunctionWork : public KernelWork {
  public:
    FunctionWork(Frame& frame, Site& site, std::uint32_t node);
    void readdress() override;
    bool set_bytes(std::string_view name, std::span<const std::byte> bytes) override;

  private:
    Frame& frame_;
    const graph::Function& function_;
    struct alignas(16) Block : std::array<std::byte, 16> {};
    std::vector<Block> blocks_;
    std::vector<const void*> params_;
    std::vector<std::uint64_t> sizes_;
};

}  // namespace eagle::lowering
