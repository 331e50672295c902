// Work that stays inside a stream until the row lets it go, and a look at a stream from another thread: with both an
// ordering row sees what runs before what, without any time that matters.
//
//   {
//       Gate gate(c, producer.raw());       // needs Symbol::host_func
//       ... work on the producer, behind the gate ...
//       ... work on the consumer ...
//       Finish finish(c, gate, consumer.get());  // with a fence: finish.within_a_moment(), and then what was read
//       if (!finish.within()) c.toothless("the consumer waits for the producer without a fence");
//   }
#pragma once
#include <memory>

#include "Handles.h"

namespace eagle::conformance {

class Gate {
  public:
    // Returns when the stream has come to the gate, or at once where it stands behind other gates (wait_until_reached
    // false).
    Gate(Context& c, std::uint64_t stream, bool wait_until_reached = true);
    ~Gate();
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    void open();

  private:
    struct State;
    std::shared_ptr<State> state_;
};

// Waits for a stream on a thread of its own. When it goes it opens the gate, so that the wait ends.
class Finish {
  public:
    Finish(Context& c, Gate& gate, eagle_backend_stream stream);
    ~Finish();
    Finish(const Finish&) = delete;
    Finish& operator=(const Finish&) = delete;
    // Whether the stream was done by then. Long enough for any device; where the answer is no, the row pays for it in
    // time.
    bool within(int milliseconds = 2000);
    // The same where "no" is what must be: work that waits for nothing has its chance to run before the gate is opened.
    bool within_a_moment() { return within(50); }
    // What stream_synchronize gave; the gate is opened first.
    eagle_backend_status status();

  private:
    struct State;
    Gate& gate_;
    std::unique_ptr<State> state_;
};

}  // namespace eagle::conformance
