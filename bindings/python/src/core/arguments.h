// A call's keyword arguments on their way into eagle.
#pragma once
#include <ArrayImport.h>
#include <eagle/Plan.h>
#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace eagle::python {

// Names of the arguments of a kernel, or of several run as one step, as interned Python strings, so that a keyword is
// found by address.
class Names {
  public:
    struct Entry {
        nanobind::object interned;
        std::string kernel;  // the first that has it
        std::string name;
        bool plane = false;
        bool written = false;  // by any of the kernels
    };
    explicit Names(std::span<const Signature> signatures);
    // The argument of that name; null when there is none that a caller gives.
    const Entry* find(nanobind::handle name) const;

  private:
    void add(const Signature& signature, const Parameter& parameter);
    std::vector<Entry> entries_;
};

// The samples axis a caller named: "samples_first", "samples_last" or None. Throws InvalidArgument for another word,
// ArgumentError for what is no word.
SamplesAxis samples_axis(nanobind::handle layout);

// What keeps an argument's memory there.
struct HeldArray {
    std::string name;
    nanobind::object object;
    Hold hold;
    bool sequence = false;  // made from a list: its conversion is nobody's mistake
};

// For tp_traverse.
int visit_array(const HeldArray& array, visitproc visit, void* arg);

// Arguments for eagle, and whatever keeps the memory behind them alive.
class Incoming {
  public:
    Incoming(const Names& names, Accept accept, std::size_t expected);
    // Planes added from here on count samples along `axis`, unless they say their own.
    void set_axis(SamplesAxis axis) { axis_ = axis; }
    // Takes one argument. Throws what import_argument() throws; eagle itself refuses unknown and duplicate names.
    void add(nanobind::handle name, nanobind::handle value);

    const Arguments& arguments() const { return arguments_; }
    // Does an array lie on a device?
    bool on_device() const { return on_device_; }
    // On a device, the stream that the work is put in the order of, raw: what the caller named, else the one that the
    // arrays' library puts work on; 0 is the default stream.
    void set_stream(std::uint64_t stream) { stream_ = stream; }
    std::uint64_t stream() const { return stream_.value_or(library_stream_.value_or(0)); }
    // Elements of all arrays together: what the cost of a call is guessed by.
    std::int64_t elements() const { return elements_; }
    // Is one of them a torch tensor? What is allocated is then handed out as tensors.
    bool torch() const { return torch_; }
    // The object given under that name; null when there is none.
    nanobind::handle given(std::string_view name) const;
    // Notices that are the caller's to know, as Python warnings.
    void warn_of(std::span<const marshal::Notice> notices) const;
    // Moves the holds out, for something that lives longer than the call.
    std::vector<HeldArray> take_held() { return std::move(held_); }

  private:
    // The value of an argument, as eagle takes it, and what keeps its memory there.
    ArgumentValue imported(const Names::Entry& entry, nanobind::handle value, HeldArray& held);
    // The same for an array of a device that is not eagle's.
    ArgumentValue from_device(const Names::Entry& entry, nanobind::handle value, Import& in);

    const Names& names_;
    Accept accept_;
    bool on_device_ = false;
    std::optional<std::uint64_t> stream_, library_stream_;
    SamplesAxis axis_ = SamplesAxis::unspecified;
    Arguments arguments_;
    std::vector<HeldArray> held_;
    std::int64_t elements_ = 0;
    bool torch_ = false;
};

// The text of a Python string. Throws InvalidArgument naming `what` it is when UTF-8 has none for it (a lone
// surrogate).
std::string_view text_of(nanobind::handle string, const char* what);

}  // namespace eagle::python
