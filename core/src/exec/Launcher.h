// One kernel's launches on one stream of its backend.
#pragma once
#include <eagle/Exec.h>
#include <eagle/Kernel.h>
#include <eagle/Stream.h>
#include <eagle/marshal/Pack.h>
#include <eagle/seam/eagle_backend.h>

#include <cstdint>

#include "trace/Span.h"

namespace eagle::exec {

// One caller at a time. The kernel and the packed arguments outlive it.
class Launcher {
  public:
    static constexpr std::uint32_t block = 256;  // threads, where a device has blocks

    // Work is put on a stream of its own.
    explicit Launcher(const Kernel& kernel, std::int32_t device = 0);

    // The entry and the arguments of what follows; again after each change of the arguments.
    void prepare(std::uint64_t entry, const marshal::Packed& packed);
    // `grid` calls of the whole range, 0: a split of it. At most `parallel` workers, 0: all. Raises what the backend
    // reports.
    void put(const Partition& part, std::uint32_t grid, std::uint32_t parallel) {
        desc_.base = part.base;
        desc_.count = part.count;
        desc_.n_samples = part.n_samples;
        options_.grid = grid;
        options_.max_parallel = parallel;
        if (trace::session() != 0) [[unlikely]]
            return put_traced();
        std::int32_t launched = 0;
        const std::int32_t status = launch_(&desc_, &options_, &launched);
        if (status != EAGLE_BACKEND_OK) stream_.backend().check(status, "eagle_backend_sdk_launch");
    }
    // The same, and returns when the work is done.
    void run(const Partition& part, std::uint32_t grid, std::uint32_t parallel) {
        put(part, grid, parallel);
        synchronize();
    }
    // Returns when what was put is done.
    void synchronize() { stream_.synchronize(); }
    // What is put from here on waits for all that the device's blocking streams were given before, and for what is on
    // `stream` (raw; 0: no other). By events: the host does not wait.
    void follow(std::uint64_t stream);
    // What is put on `stream` from here on waits for what was put here.
    void lead(std::uint64_t stream);
    Stream& stream() { return stream_; }

  private:
    void put_traced();
    trace::Label label() const;
    Kernel kernel_;
    Stream stream_;
    decltype(&::eagle_backend_sdk_launch) launch_;
    eagle_backend_launch_desc desc_{};
    eagle_backend_sdk_launch_options options_{};
    // Of the recording that it was put in last: the kernel on this stream.
    trace::SessionId traced_ = 0;
    std::uint64_t traced_function_ = 0;
    std::uint32_t subject_ = 0;
};

}  // namespace eagle::exec
