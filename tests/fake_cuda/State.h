// What the fake driver remembers. Everything here is touched under its one lock.
#pragma once
#include <cuda.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "fake_cuda/Kernel.h"

struct CUctx_st {
    int device = 0;
    int retained = 0;
};

struct CUmod_st {
    void* library =
        nullptr;  // of a module that is a library of this machine; null = the kernels linked into the driver
    std::map<std::string, std::unique_ptr<CUfunc_st>> functions;
    CUcontext context = nullptr;
};

struct CUfunc_st {
    const fake_cuda::Kernel* kernel = nullptr;
    CUmodule module = nullptr;
    unsigned most_shared = 48 * 1024;  // of dynamic shared memory, until the function asks for more
};

namespace fake_cuda {

using Lock = std::unique_lock<std::mutex>;
using Work = std::function<void()>;
using Progress = std::shared_ptr<std::uint64_t>;  // the last ticket of a stream that is done; outlives the stream

struct Capture {
    std::uint64_t id = 0;
    CUgraph graph = nullptr;
    bool owns_graph = true;
    bool is_invalid = false;
    CUstream origin = nullptr;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    std::thread::id thread = std::this_thread::get_id();
};

struct Shape {
    unsigned grid_x = 1, grid_y = 1, grid_z = 1, block_x = 1, block_y = 1, block_z = 1, shared_bytes = 0;
};

// Values of a kernel's parameters, each at an address of its own.
class Arguments {
  public:
    Arguments() = default;
    Arguments(const Kernel& kernel, void* const* values);
    Arguments(const Arguments& other) { *this = other; }
    Arguments& operator=(const Arguments& other);
    void** addresses() { return addresses_.data(); }

  private:
    void point();
    std::vector<std::size_t> sizes_;
    std::vector<std::max_align_t> storage_;
    std::vector<void*> addresses_;
};

struct Condition {
    std::uint64_t handle = 0;
    CUgraph graph = nullptr;
    unsigned initial = 0, flags = 0;
    std::atomic<unsigned> value{0};
    bool has_node = false;
};

}  // namespace fake_cuda

struct CUstream_st {
    CUcontext context = nullptr;
    unsigned flags = 0;
    int priority = 0;
    struct Entry {
        std::uint64_t ticket;
        fake_cuda::Work work;
    };
    std::deque<Entry> queue;
    std::uint64_t queued = 0;  // the last ticket
    fake_cuda::Progress done = std::make_shared<std::uint64_t>(0);
    bool is_ending = false;
    std::thread worker;
    std::condition_variable wake;  // the worker's alone: a machine that is busy pays for each thread that wakes in vain
    std::shared_ptr<fake_cuda::Capture> capture;
    std::vector<CUgraphNode> tip;  // what the next captured node waits for
};

struct CUevent_st {
    unsigned flags = 0;
    CUcontext context = nullptr;
    fake_cuda::Progress stream;  // of the one that it was recorded on last
    std::uint64_t ticket = 0, nanoseconds = 0;
    std::uint64_t capture_id = 0;
    std::vector<CUgraphNode> tip;
};

struct CUgraphNode_st {
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
    CUgraph graph = nullptr;
    std::vector<CUgraphNode> after;
    bool is_enabled = true;
    // kernel
    CUfunction function = nullptr;
    fake_cuda::Shape shape;
    fake_cuda::Arguments arguments;
    // memcpy and memset
    CUdeviceptr dst = 0, src = 0;
    std::size_t width = 0, height = 1, pitch = 0;
    unsigned value = 0, element = 1;
    // host
    CUhostFn host = nullptr;
    void* host_data = nullptr;
    // child, and bodies of a conditional
    std::vector<std::unique_ptr<CUgraph_st>> graphs;
    std::vector<CUgraph> graph_pointers;
    std::shared_ptr<fake_cuda::Condition> condition;
    CUgraphConditionalNodeType condition_type = CU_GRAPH_COND_TYPE_IF;
};

struct CUgraph_st {
    CUgraph_st();
    ~CUgraph_st();
    CUgraph_st(const CUgraph_st&) = delete;
    CUgraph_st& operator=(const CUgraph_st&) = delete;

    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
    std::vector<std::shared_ptr<fake_cuda::Condition>> conditions;
    bool is_inner = false;  // a child or a body: its node owns it
    int live_executables = 0;
};

struct CUgraphExec_st {
    std::unique_ptr<CUgraph_st> graph;
    std::unordered_map<CUgraphNode, CUgraphNode> node_of;  // by the node of the graph that it was made from
    CUgraph source = nullptr;
    std::uint64_t launches = 0;
};

namespace fake_cuda {

struct Allocation {
    std::size_t bytes;
    int device;
};
using Memory = std::map<std::uintptr_t, Allocation>;  // by its first address

struct State {
    std::mutex mutex;
    std::condition_variable changed;  // a stream has got on
    bool is_initialised = false, is_forked = false;
    std::vector<std::unique_ptr<CUctx_st>> contexts;   // one a device
    std::vector<std::unique_ptr<CUstream_st>> legacy;  // one a device
    std::set<CUstream> streams;                        // without the legacy ones
    std::set<CUstream> ending;                         // destroyed, with work left
    std::set<CUevent> events;
    std::set<CUgraph> graphs;
    std::set<CUgraphNode> nodes;
    std::set<CUgraphExec> execs;
    std::set<CUmodule> modules;
    std::set<std::uint64_t> captures;
    Memory memory, pinned;
    std::map<std::uint64_t, std::shared_ptr<Condition>> conditions;
    std::uint64_t next_id = 1;
    int waiting = 0;  // threads that wait for a stream; nothing runs without one in lazy mode
    std::map<std::string, long long> counts;
};

State& state();  // lives to the end: workers use it

// What the environment says, read once.
struct Settings {
    int version, devices;
    unsigned seed;
    bool is_lazy, has_no_device;
    std::set<std::string> missing;  // FAKE_CUDA_MISSING: names of driver functions, with commas between them
};
const Settings& settings();

enum class Needs { nothing, driver, context };
// Every driver function begins so. `late`: a call that gives something back does it, and reports the error then.
CUresult enter(const char* name, Needs needs, CUresult* late = nullptr);

extern thread_local CUcontext current_context;
extern thread_local bool is_in_host_function;
extern thread_local CUstreamCaptureMode thread_mode;

// ---- streams; the lock is held ----
CUstream resolve(CUstream stream);  // 0, the legacy and the per-thread stream by their objects; null when unknown
std::uint64_t put(CUstream stream, Work work);
void wait_for(Lock& lock, const Progress& stream, std::uint64_t ticket);
void wait_for_all(Lock& lock, int device);

// ---- captures; the lock is held ----
void invalidate(Capture& capture);
// CUDA_SUCCESS, or why a call that may wait for the device is not allowed on this thread; that ends its captures.
CUresult require_no_unsafe_call();
// CUDA_SUCCESS, or why the legacy stream may not be used beside a capture, which is over then unless it was a question.
CUresult require_no_implicit_dependency(CUstream stream, bool is_question = false);
// A node of the graph that the stream is captured into, at its tip.
CUresult record(CUstream stream, CUgraphNodeType type, CUgraphNode* out);
void leave_capture(CUstream stream);

// ---- graphs; the lock is held ----
CUgraphNode add_node(CUgraph graph, CUgraphNodeType type, const CUgraphNode* after, std::size_t count);
using NodeMap = std::unordered_map<CUgraphNode, CUgraphNode>;
std::unique_ptr<CUgraph_st> copy_of(const CUgraph_st& graph, NodeMap& node_of);
bool holds_conditional(const CUgraph_st& graph);
void run_kernel(const Kernel& kernel, const Shape& shape, Arguments& arguments, unsigned seed);
void call_host(CUhostFn function, void* data);
void copy_bytes(CUdeviceptr dst, CUdeviceptr src, std::size_t bytes);
void fill(const CUgraphNode_st& node);
bool is_allocated(CUdeviceptr address);            // by this driver: for the device, or page-locked
void run_graph(CUgraph_st& graph, unsigned seed);  // without the lock
const Kernel* find_built_in(const std::string& name);
const Kernel* find_built_in_of_graphs(const std::string& name);
void set_conditional(unsigned long long handle, unsigned value);
void count(const char* what);

}  // namespace fake_cuda
