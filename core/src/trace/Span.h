// What a thread of the host does, as a span of the trace.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace eagle::trace {

using SessionId = std::uint64_t;  // 0: no recording runs

namespace detail {
extern std::atomic<SessionId> current;
}
// All that a launch pays when nobody records.
inline SessionId session() noexcept { return detail::current.load(std::memory_order_relaxed); }

struct Field {
    const char* key;
    std::variant<std::int64_t, std::string> value;
};

struct Label {
    const char* category;
    std::string name;
    std::vector<Field> fields{};
    std::uint64_t launch = 0;   // of a plan: its number, which its parts carry
    std::uint32_t replays = 0;  // of a graph: the subject whose runs are its replays, in order; 0: none
};

// From its making to its end. `make` gives the Label, and is asked only while somebody records.
class Span {
  public:
    template <class Make>
    explicit Span(const Make& make) noexcept {
        if (session() != 0) [[unlikely]] {
            try {
                open(make());
            } catch (...) {  // without memory for its words there is no span
            }
        }
    }
    ~Span() {
        if (label_) [[unlikely]]
            close();
    }
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;

  private:
    void open(Label&& label);
    void close() noexcept;

    std::unique_ptr<Label> label_;
    SessionId session_ = 0;
    std::int64_t begin_ = 0;
    int exceptions_ = 0;
};

}  // namespace eagle::trace
