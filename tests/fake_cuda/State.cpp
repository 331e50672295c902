#include "State.h"

#include <pthread.h>

#include <cstdlib>
#include <cstring>
#include <sstream>

#include "fake_cuda/Control.h"

namespace fake_cuda {
namespace {

struct Faults {
    std::uint64_t calls = 0, next = 0, left = 0;
    CUresult error = CUDA_ERROR_UNKNOWN;
    std::string failed;
};
Faults& faults() {
    static Faults& of_process = *new Faults;
    return of_process;
}

int number(const char* variable, int otherwise) {
    const char* text = std::getenv(variable);
    return text && *text ? std::atoi(text) : otherwise;
}

Settings read_settings() {
    Settings read{};
    read.version = number("FAKE_CUDA_DRIVER_VERSION", 13000);
    read.devices = number("FAKE_CUDA_DEVICES", 1);
    read.seed = static_cast<unsigned>(number("FAKE_CUDA_SEED", 1));
    read.is_lazy = number("FAKE_CUDA_LAZY", 0) != 0;
    read.has_no_device = read.devices == 0;
    const char* missing = std::getenv("FAKE_CUDA_MISSING");
    std::istringstream names(missing ? missing : "");
    for (std::string name; std::getline(names, name, ',');) read.missing.insert(name);
    return read;
}

// A child has none of the driver's threads: as with the real one, nothing works there once the parent has begun.
void in_child() {
    State& s = state();
    s.is_forked = s.is_initialised;
    new (&s.mutex) std::mutex;
    new (&s.changed) std::condition_variable;
}

}  // namespace

thread_local CUcontext current_context = nullptr;
thread_local bool is_in_host_function = false;
thread_local CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

State& state() {
    static State& of_process = *[] {
        pthread_atfork(nullptr, nullptr, &in_child);
        return new State;
    }();
    return of_process;
}

const Settings& settings() {
    static const Settings& of_process = *new Settings(read_settings());
    return of_process;
}

// cuda.h, cuLaunchHostFunc: calls from a host function may give CUDA_ERROR_NOT_PERMITTED, which is not required. Those
// that touch no device are answered, so that what only works where all are refused is seen.
static bool is_of_the_thread_alone(const std::string& name) {
    return name == "cuCtxGetCurrent" || name == "cuCtxSetCurrent" || name == "cuCtxGetDevice" ||
           name == "cuThreadExchangeStreamCaptureMode";
}

void count(const char* what) { ++state().counts[what]; }

CUresult enter(const char* name, Needs needs, CUresult* late) {
    Lock lock(state().mutex);
    if (is_in_host_function && !is_of_the_thread_alone(name)) return CUDA_ERROR_NOT_PERMITTED;
    if (needs != Needs::nothing && (!state().is_initialised || state().is_forked)) return CUDA_ERROR_NOT_INITIALIZED;
    Faults& f = faults();
    ++f.calls;
    if (f.left > 0 && f.calls >= f.next) {
        --f.left;
        f.failed = name;
        if (!late) return f.error;
        *late = f.error;
    }
    if (needs == Needs::context && !current_context) return CUDA_ERROR_INVALID_CONTEXT;
    return CUDA_SUCCESS;
}

}  // namespace fake_cuda

using namespace fake_cuda;

#define FAKE_CUDA_API extern "C" __attribute__((visibility("default")))

FAKE_CUDA_API unsigned long long fake_cuda_calls(void) {
    Lock lock(state().mutex);
    return faults().calls;
}

FAKE_CUDA_API void fake_cuda_fail(unsigned long long n, unsigned long long failures, int error) {
    Lock lock(state().mutex);
    Faults& f = faults();
    f.next = f.calls + n;
    f.left = n == 0 ? 0 : failures;
    f.error = static_cast<CUresult>(error);
    f.failed.clear();
}

FAKE_CUDA_API const char* fake_cuda_failed_call(void) {
    Lock lock(state().mutex);
    return faults().failed.c_str();
}

FAKE_CUDA_API long long fake_cuda_count(const char* what) {
    State& s = state();
    Lock lock(s.mutex);
    auto size = [](const auto& all) { return static_cast<long long>(all.size()); };
    const std::string name = what;
    if (name == "stream") return size(s.streams);
    if (name == "event") return size(s.events);
    if (name == "graph") return size(s.graphs);
    if (name == "exec") return size(s.execs);
    if (name == "module") return size(s.modules);
    if (name == "memory") return size(s.memory);
    if (name == "pinned") return size(s.pinned);
    if (name == "capture") return size(s.captures);
    if (name != "context") return s.counts[name];
    long long retained = 0;
    for (const auto& context : s.contexts) retained += context->retained;
    return retained;
}
