// Reductions and compactions.
#pragma once
#include <array>

#include "lowering/builtin/entries.h"
#include "lowering/work/Kernels.h"

namespace eagle::lowering {

// One result a block, then one of those.
class ReduceWork : public KernelWork {
  public:
    ReduceWork(Frame& frame, Site& site, std::uint32_t node);
    void readdress() override;

  private:
    Frame& frame_;
    const graph::Reduce& reduce_;
    std::array<builtin::Reduce, 2> stages_{};
    std::array<const void*, 2> params_{stages_.data(), stages_.data() + 1};
    std::uint64_t size_ = sizeof(builtin::Reduce);
};

class CompactWork : public Work {
  public:
    CompactWork(Frame& frame, Site& site, std::uint32_t node);
    std::int64_t native_nodes() const override { return only_the_backend_knows; }
    void record(Recorder& recorder, std::uint64_t stream) override;
    void readdress() override {}
    bool repoint(Launcher& launcher) override;

  private:
    std::array<std::uint64_t, 3> places() const;
    Frame& frame_;
    Site& site_;
    const graph::Compact& compact_;
    std::array<std::uint64_t, 3> recorded_{};
};

}  // namespace eagle::lowering
