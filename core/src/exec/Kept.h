// Owners of memory that work on a stream still uses.
#pragma once
#include <eagle/Stream.h>

#include <atomic>
#include <list>
#include <memory>
#include <vector>

namespace eagle::exec {

// One caller at a time. Before it is destroyed the stream is waited for.
class Kept {
  public:
    using Owners = std::vector<std::shared_ptr<void>>;
    // Keeps them until what is on the stream is done. The stream tells by a host function; where its backend has none,
    // it is waited for now.
    void until_done(Stream& stream, Owners owners);
    // Lets go of those whose work is done.
    void let_go();
    // Lets go of all: their work is done.
    void clear() { notes_.clear(); }
    std::size_t size() const { return notes_.size(); }

  private:
    struct Note {
        Owners owners;
        std::atomic<bool> done{false};
    };
    std::list<Note> notes_;
};

}  // namespace eagle::exec
