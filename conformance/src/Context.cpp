#include <eagle/conformance/Context.h>
#include <eagle/conformance/Handles.h>

#include "TestKernels.h"

namespace eagle::conformance {
namespace {

constexpr std::size_t most_failures = 20;  // of one row: a loop that goes wrong needs no more

}  // namespace

Context::Context(const Seam& backend, const Facts& what_it_says, TestKernels& kernels, std::int32_t device_number,
                 std::uint64_t seed_of_row)
    : seam(backend),
      facts(what_it_says),
      device(device_number),
      seed(seed_of_row),
      random(seed_of_row),
      kernels_(kernels) {}

Context::~Context() = default;

std::uint64_t Context::stream() {
    if (!facts.provides(Symbol::stream_create)) return 0;
    if (!stream_) stream_ = std::make_unique<StreamHandle>(*this);
    return stream_->raw();
}

void Context::synchronize() {
    if (stream_) stream_->synchronize();
}

std::uint64_t Context::kernel(const std::string& entry) {
    std::string why;
    const std::uint64_t function = kernels_.entry(entry, why);
    if (function == 0) end(__FILE__, __LINE__, "the test kernel " + entry + " is not there: " + why);
    return function;
}

void Context::fail(const char* file, int line, const std::string& text) {
    const std::string path = file;
    failures_.push_back({path.substr(path.find_last_of('/') + 1), line, text});
    if (failures_.size() >= most_failures) throw RowEnds{};
}

void Context::end(const char* file, int line, const std::string& text) {
    fail(file, line, text);
    throw RowEnds{};
}

void Context::toothless(const std::string& why) {
    if (toothless_.empty()) toothless_ = why;
}

bool Context::status(const char* file, int line, const char* call, eagle_backend_status found,
                     eagle_backend_status wanted) {
    const char* said = seam.last_error();
    const std::string text = said ? said : "";
    if (!said) fail(file, line, std::string(call) + ": last_error is null afterwards; it must be a text");
    if (found != wanted) {
        fail(file, line,
             std::string(call) + ": found status " + std::to_string(found) + (text.empty() ? "" : " (" + text + ")") +
                 ", needed " + std::to_string(wanted));
        return false;
    }
    if (found == EAGLE_BACKEND_OK && !text.empty()) {
        fail(file, line, std::string(call) + ": is OK, and last_error is '" + text + "'; it must be empty (EBP-6)");
    } else if (found != EAGLE_BACKEND_OK && text.empty()) {
        fail(file, line,
             std::string(call) + ": gave status " + std::to_string(found) +
                 ", and last_error is empty; it must say why (EBP-6)");
    }
    return true;
}

}  // namespace eagle::conformance
