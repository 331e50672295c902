// What the nodes of one graph share: where they run, and what they tell the host.
#pragma once
#include <eagle/Executor.h>
#include <eagle/graph/Node.h>
#include <eagle/graph/Plane.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "lowering/Builtin.h"
#include "lowering/Kernels.h"
#include "trace/Span.h"

namespace eagle::lowering {

// The first exception of the host functions of a graph, kept until somebody may be told. Host functions run on threads
// of the backend.
class HostErrors {
  public:
    void keep(std::exception_ptr error) noexcept {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::move(error);
        there_.store(true, std::memory_order_release);
    }
    // Raises what is kept, once.
    void raise() {
        if (there_.load(std::memory_order_acquire)) raise_now();
    }

  private:
    void raise_now() {
        std::unique_lock lock(mutex_);
        const std::exception_ptr error = std::exchange(error_, nullptr);
        there_.store(false, std::memory_order_release);
        lock.unlock();
        if (error) std::rethrow_exception(error);
    }
    std::mutex mutex_;
    std::exception_ptr error_;
    std::atomic<bool> there_{false};
};

// A launch that can report a fault inside its kernel, and the plane that it reports it in.
struct FaultCell {
    ScratchRef control;
    const graph::Node* node = nullptr;
    const Signature* signature = nullptr;
};

struct Site {
    explicit Site(Executor& of)
        : executor(of),
          builtin(of.backend(), of.device()),
          kernels(of.backend(), of.device()),
          zero(of.reserve(4, 4)),
          halt(of.reserve(4, 4)) {}

    Executor& executor;
    Builtin builtin;
    Kernels kernels;
    ScratchRef zero;  // a uint32 that stays 0
    ScratchRef halt;  // on a host the stop cell of loops without their own; set by a launch that is interrupted
    HostErrors errors;
    std::vector<FaultCell> faults;
    std::uint32_t most_branches = 16;
    trace::SessionId trace = 0;  // the recording that captures are made for
    std::uint32_t replays = 0;   // what its replays are noted as
    const std::uint64_t number = next_number();

    const Backend& backend() const { return executor.backend(); }
    std::int32_t device() const { return executor.device(); }
    // As DLPack has it.
    graph::Device place() const {
        const auto& types = backend().device_types();
        if (types.empty() || types.front() == 1) return {1, 0};
        return {types.front(), device()};
    }

  private:
    static std::uint64_t next_number() {
        static std::atomic<std::uint64_t> last{0};
        return ++last;
    }
};

}  // namespace eagle::lowering
