// What ranks need of MPI, over methods of mpi4py.
#pragma once
#include <Gil.h>
#include <eagle/RankMessages.h>
#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace eagle::python {

// Python objects that outlive every plan, and are let go of under the GIL.
template <std::size_t Count>
struct HeldObjects {
    HeldObjects() = default;
    ~HeldObjects() {
        if (!nanobind::is_alive()) {
            for (nanobind::object& object : objects) object.release();
            return;
        }
        const WithGil held;
        for (nanobind::object& object : objects) object.reset();
    }
    HeldObjects(const HeldObjects&) = delete;
    HeldObjects& operator=(const HeldObjects&) = delete;
    nanobind::object& operator[](std::size_t i) { return objects[i]; }
    const nanobind::object& operator[](std::size_t i) const { return objects[i]; }
    nanobind::object objects[Count];
};

// Refuses what is MPI's null communicator: MPI would end the process, or raise a text that names none. BadHandle.
void require_communicator(nanobind::handle comm);

// RankPartition::Allgather, over Allgatherv.
class MpiAllgather {
  public:
    MpiAllgather(nanobind::handle method, nanobind::handle in_place, nanobind::handle byte);
    void operator()(void* whole, std::span<const std::int64_t> offsets) const { prepared(whole, offsets)(); }
    // With everything made that Python needs for the call.
    std::function<void()> prepared(void* whole, std::span<const std::int64_t> offsets) const;

  private:
    HeldObjects<3> held_;
};

// RankMessages over Isend and matched probes.
class MpiMessages final : public RankMessages {
  public:
    // (isend, improbe, any_source, tag) of a communicator whose messages with that tag are these alone. `allgather` is
    // the collective beside them.
    MpiMessages(nanobind::handle parts, std::shared_ptr<const MpiAllgather> allgather);
    void send(int rank, std::span<const std::byte> message) override;
    bool receive(std::span<std::byte> message) override;
    bool interrupted() override;
    void pause(double seconds) override;
    std::function<void()> prepared(void* whole, std::span<const std::int64_t> offsets) override;

  private:
    HeldObjects<4> held_;
    HeldObjects<1> sent_;  // requests; each keeps its message
    alignas(16) std::byte letter_[size];
    HeldObjects<1> view_;  // of letter_
    std::shared_ptr<const MpiAllgather> allgather_;
};

}  // namespace eagle::python
