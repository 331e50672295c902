// Ranks that can be interrupted while they wait for each other.
#pragma once
#include <eagle/Ranks.h>
#include <eagle/export.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

namespace eagle {

// Short messages between ranks, beside the collective. With them a rank that waits for the others can be interrupted,
// and hears of a rank that has left. Called on the thread that called eagle.
class EAGLE_API RankMessages {
  public:
    static constexpr std::size_t size = 576;  // of every message, in bytes

    virtual ~RankMessages();
    // Returns at once, whether or not the rank asks for messages; it is called with every rank but this one. Messages
    // to one rank arrive in the order in which they were sent.
    virtual void send(int rank, std::span<const std::byte> message) = 0;
    // Takes one that has come, from whatever rank; false, at once, where none has.
    virtual bool receive(std::span<std::byte> message) = 0;
    // As a Poll: asked while this rank waits, true for an interruption.
    virtual bool interrupted() = 0;
    // Nothing has come: gives the processor to others for about so long, and what locks are held.
    virtual void pause(double seconds) = 0;
    // The collective with these arguments, which outlive it, so far done that a call of what is returned begins at
    // once: what fails here, memory above all, fails before any rank has begun. Null: the collective is called itself.
    virtual std::function<void()> prepared(void* whole, std::span<const std::int64_t> offsets);
};

// As the constructor of RankPartition. Without messages a rank waits inside the collective, until all are there.
EAGLE_API RankPartition ranks_with_messages(int rank, int size, RankPartition::Allgather allgather,
                                            std::shared_ptr<RankMessages> messages, bool gather = true);

}  // namespace eagle
