// What a row is given, and how it says what it found.
//
//   ROW_OK(c, call)              the call must be OK; the row ends otherwise
//   ROW_STATUS(c, call, wanted)  the call must give that status, and last_error must be "" exactly for OK; the row goes
//   on ROW_EXPECT(c, condition)     must hold; the row goes on ROW_EQ(c, found, needed)     must be equal; both values
//   are reported; the row goes on ROW_REQUIRE(c, condition)    must hold; the row ends otherwise
//
// A failure holds file, line, expression, what was found and what was needed. The helpers of Handles.h, Buffer.h,
// Launch.h and Gate.h use the same macros, so that a row never goes on with a handle it did not get.
#pragma once
#include <cstdint>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "Facts.h"
#include "Seam.h"

namespace eagle::conformance {

// Ends a row; thrown by ROW_OK and ROW_REQUIRE after the failure is recorded.
struct RowEnds {};

struct Failure {
    std::string file;  // its last part
    int line = 0;
    std::string text;
};

class StreamHandle;
class TestKernels;

class Context {
  public:
    Context(const Seam& backend, const Facts& what_it_says, TestKernels& kernels, std::int32_t device_number,
            std::uint64_t seed_of_row);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    const Seam& seam;
    const Facts& facts;
    const std::int32_t device;  // the one that is judged
    const std::uint64_t
        seed;  // of the run and the row's name: the same row draws the same numbers in every run of a seed
    std::mt19937_64 random;

    // A stream of the row's own, made at the first call, that copies of Buffer go through; 0 where the backend has no
    // streams.
    std::uint64_t stream();
    // Waits for that stream. Other streams have their own handles.
    void synchronize();
    // Address of a test kernel, for launch_desc.function; the row ends where there is none of that name.
    std::uint64_t kernel(const std::string& entry);
    // The file that kernel() reads.
    const std::string& kernels_file() const { return facts.kernels; }

    void fail(const char* file, int line, const std::string& text);
    [[noreturn]] void end(const char* file, int line, const std::string& text);
    // The row could not show that it is able to fail: an ordering row whose fence may be left out, say. Not green, not
    // red.
    void toothless(const std::string& why);

    // The status as expected, with a text exactly where it is not OK; records a failure otherwise.
    bool status(const char* file, int line, const char* call, eagle_backend_status found, eagle_backend_status wanted);

    const std::vector<Failure>& failures() const { return failures_; }
    const std::string& toothless_because() const { return toothless_; }

  private:
    TestKernels& kernels_;
    std::unique_ptr<StreamHandle> stream_;
    std::vector<Failure> failures_;
    std::string toothless_;
};

// Words for a value in a report.
template <class T>
std::string shown(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_same_v<T, std::int8_t> || std::is_same_v<T, std::uint8_t>) {
        return std::to_string(int(value));
    } else if constexpr (std::is_pointer_v<T> && !std::is_same_v<std::remove_cv_t<std::remove_pointer_t<T>>, char>) {
        return value ? "a pointer" : "null";
    } else if constexpr (std::is_same_v<T, std::nullptr_t>) {
        return "null";
    } else {
        std::ostringstream text;
        text.precision(17);
        text << value;
        return text.str();
    }
}

// The first place where two arrays differ and both values there, for a report.
template <class T>
std::string shown(const std::vector<T>& values) {
    std::string text = "[" + std::to_string(values.size()) + "]{";
    for (std::size_t i = 0; i < values.size() && i < 8; ++i) text += (i ? ", " : "") + shown(values[i]);
    return text + (values.size() > 8 ? ", ...}" : "}");
}

template <class Found, class Needed>
void expect_equal(Context& c, const char* file, int line, const char* expression, const Found& found,
                  const Needed& needed) {
    if (found == needed) return;
    c.fail(file, line, std::string(expression) + ": found " + shown(found) + ", needed " + shown(needed));
}

template <class T>
void expect_equal(Context& c, const char* file, int line, const char* expression, const std::vector<T>& found,
                  const std::vector<T>& needed) {
    if (found == needed) return;
    std::size_t i = 0;
    while (i < found.size() && i < needed.size() && found[i] == needed[i]) ++i;
    const std::string at = " at [" + std::to_string(i) + "]";
    c.fail(file, line,
           std::string(expression) + ": found " + (i < found.size() ? shown(found[i]) : "no more") + at + ", needed " +
               (i < needed.size() ? shown(needed[i]) : "no more") + " (of " + std::to_string(needed.size()) + ")");
}

#define ROW_STATUS(c, call, wanted) ((void)(c).status(__FILE__, __LINE__, #call, (call), (wanted)))
#define ROW_OK(c, call)                                                                                              \
    do {                                                                                                             \
        if (!(c).status(__FILE__, __LINE__, #call, (call), EAGLE_BACKEND_OK)) throw ::eagle::conformance::RowEnds{}; \
    } while (0)
#define ROW_EXPECT(c, ...)                                                         \
    do {                                                                           \
        if (!(__VA_ARGS__)) (c).fail(__FILE__, __LINE__, "not so: " #__VA_ARGS__); \
    } while (0)
#define ROW_REQUIRE(c, ...)                                                       \
    do {                                                                          \
        if (!(__VA_ARGS__)) (c).end(__FILE__, __LINE__, "not so: " #__VA_ARGS__); \
    } while (0)
#define ROW_EQ(c, found, needed) ::eagle::conformance::expect_equal(c, __FILE__, __LINE__, #found, found, needed)

}  // namespace eagle::conformance
