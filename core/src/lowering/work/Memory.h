// Nodes that move bytes.
#pragma once
#include <eagle/Memory.h>

#include "lowering/builtin/entries.h"
#include "lowering/work/Kernels.h"

namespace eagle::lowering {

class CopyWork : public Work {
  public:
    CopyWork(Frame& frame, Site& site, std::uint32_t node);
    std::int64_t native_nodes() const override { return 1; }
    void record(Recorder& recorder, std::uint64_t stream) override;
    void readdress() override {}
    bool repoint(Launcher& launcher) override;

  private:
    Frame& frame_;
    Site& site_;
    const graph::Copy& copy_;
    CopyKind kind_;
    std::uint64_t to_ = 0, from_ = 0;  // as the executable has it
};

// A fill with zeros, which devices do themselves.
class ClearWork : public Work {
  public:
    ClearWork(Frame& frame, Site& site, std::uint32_t node);
    std::int64_t native_nodes() const override { return 1; }
    void record(Recorder& recorder, std::uint64_t stream) override;
    void readdress() override {}
    bool repoint(Launcher&) override { return to_ == frame_.at(plane_); }

  private:
    Frame& frame_;
    Site& site_;
    graph::PlaneRef plane_;
    std::uint64_t to_ = 0;
};

class PatternWork : public KernelWork {
  public:
    PatternWork(Frame& frame, Site& site, std::uint32_t node);
    void readdress() override { fill_.to = frame_.at(plane_); }

  private:
    Frame& frame_;
    graph::PlaneRef plane_;
    builtin::Fill fill_{};
    const void* param_ = &fill_;
    std::uint64_t size_ = sizeof fill_;
};

std::unique_ptr<Work> make_fill(Frame& frame, Site& site, std::uint32_t node);

}  // namespace eagle::lowering
