// Captures: while one is open, work put on its streams is recorded instead of run. The driver records; what it does not
// tell is kept here.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "Late.h"
#include "Record.h"

namespace eagle::gpu {

class Branches;
class Conditional;

// A stream that the driver records from, and where it records.
struct Part {
    std::uint64_t id = 0;  // the driver's
    RawStream stream = 0;
    std::shared_ptr<Record> into;
    bool is_body = false;
    RawGraph outer = 0;  // of a body: the graph that its conditional is in
};

struct Capture {
    int device = 0;
    bool is_blocking = false;  // the captured stream
    std::thread::id owner = std::this_thread::get_id();
    std::vector<Part> parts;       // that of the captured stream first
    std::vector<Branches*> forks;  // that have left from one of its streams
    std::string trouble;           // why it cannot end well
    bool is_open = true;
    bool is_abandoned = false;  // its capturer is gone, and it waits for its own thread
    Lates put_off;
    Lates unended;  // streams that the driver did not end, as the device could not be made current

    const Part& outermost() const { return parts.front(); }
    const Part* part(std::uint64_t id) const;
    const Part* part_from(RawStream stream) const;
    bool has_open_body_in(RawGraph outer) const;
    // Names a branch of a fork of that graph that was not joined; "" where there is none.
    std::string unjoined_branch(RawGraph graph) const;
    // Ends what is recorded from the stream, which is no part from here on; throws what the driver says. The caller
    // holds engine_lock() here and below.
    RawGraph end_part(RawStream stream);
    // Ends every part; no stream takes part any more, and what was put off is for give_back_kept(). Returns the graph,
    // 0 where the driver gives none.
    RawGraph close() noexcept;
    // With give_back_kept(), before what was put off: the stream would stay in a capture.
    void end_later(RawStream stream, bool owns_graph) noexcept;
};

// What the driver says of the stream, and the capture that it is in where that is one of the seam's.
struct Place {
    CaptureInfo info;
    Capture* capture = nullptr;
    const Part* part = nullptr;
    bool is_captured() const { return info.state != CaptureInfo::none; }
};
Place place_of(RawStream stream);

// Throws Failure (ERROR) where the capture can only be ended any more.
void require_alive(const Place& place);

// Notes what the last call has put at the stream's tip.
void note_tip(RawStream stream, Node node);

// Throws Failure (ERROR): what the call does, it cannot do to a stream in a capture.
void require_no_capture(RawStream stream, const char* what);
// Throws Failure (ERROR) when this thread has a capture open.
void require_no_capture_here(const char* what);
// Throws Failure (ERROR) where the stream is the legacy one and waits for a stream in a capture, which it would end.
void require_apart_from_captures(RawStream stream, int device);
bool is_capture_open_here();
// Gives something back: at once or, while a capture is open on this thread, when that is over; where a capture is
// named, when it is over. What the driver does not do then is kept for give_back_kept().
void put_off(int device, std::function<void()> work, Capture* capture = nullptr) noexcept;

// The records of nodes at the stream's tip. Throws Failure (ERROR) when the stream is in no capture.
std::vector<std::uint64_t> nodes_at(RawStream stream);
void add_child(RawStream stream, RawGraph child, bool is_in_body);

class Capturer {
  public:
    static constexpr std::uint8_t tag = 'R';
    static constexpr char name[] = "capturer";

    Capturer(RawStream stream, int device) : stream_(stream), device_(device) {}
    ~Capturer();
    // Throw Failure.
    void begin();
    std::shared_ptr<Record> end();
    RawGraph open_graph() const;  // 0 when none is open
    int device() const { return device_; }

  private:
    bool is_open() const { return open_ && open_->is_open; }
    RawStream stream_;
    int device_;
    std::shared_ptr<Capture> open_;
};

struct Captured {
    static constexpr std::uint8_t tag = 'D';
    static constexpr char name[] = "captured";
    std::shared_ptr<Record> graph;
};

}  // namespace eagle::gpu
