// Streams: each has a thread that does its work in order.
#include <cfenv>

#include "Entry.h"

namespace fake_cuda {
namespace {

bool is_blocking(CUstream stream) { return (stream->flags & CU_STREAM_NON_BLOCKING) == 0; }

CUstream legacy_of(CUcontext context) { return state().legacy[static_cast<std::size_t>(context->device)].get(); }

bool is_legacy(CUstream stream) { return legacy_of(stream->context) == stream; }

CUstream make(unsigned flags, int priority) {
    auto* stream = new CUstream_st;
    stream->context = current_context;
    stream->flags = flags;
    stream->priority = priority;
    state().streams.insert(stream);
    return stream;
}

// The default stream of this thread on the current device; it ends with the process, as its context does.
CUstream per_thread() {
    thread_local std::map<CUcontext, CUstream> made;
    CUstream& stream = made[current_context];
    if (!stream) {
        stream = make(0, 0);
        state().streams.erase(stream);
        state().legacy.emplace_back(stream);
    }
    return stream;
}

// Whatever the thread that put the first work here computes with, a device does not.
void run_worker(CUstream stream) {
    std::fesetenv(FE_DFL_ENV);
    State& s = state();
    Lock lock(s.mutex);
    for (;;) {
        stream->wake.wait(lock, [&] {
            bool may_run = !settings().is_lazy || s.waiting > 0;
            return stream->is_ending || (!stream->queue.empty() && may_run);
        });
        if (stream->queue.empty()) {
            if (!stream->is_ending) continue;
            s.ending.erase(stream);
            delete stream;
            return;
        }
        CUstream_st::Entry next = std::move(stream->queue.front());
        stream->queue.pop_front();
        lock.unlock();
        next.work();
        next.work = nullptr;  // what it held may take the lock when it goes
        lock.lock();
        *stream->done = next.ticket;
        s.changed.notify_all();
    }
}

// Of lazy streams: somebody waits.
void wake_all() {
    for (CUstream stream : state().streams) stream->wake.notify_all();
    for (CUstream stream : state().ending) stream->wake.notify_all();
    for (const auto& stream : state().legacy) stream->wake.notify_all();
}

struct Point {
    Progress stream;
    std::uint64_t ticket;
};

// The legacy stream waits for every blocking one of its device, and each of those for it.
std::vector<Point> implicit_waits(CUstream stream) {
    std::vector<Point> points;
    auto add = [&](CUstream other) {
        bool same_device = other->context == stream->context;
        if (other != stream && same_device && is_blocking(other) && other->queued > *other->done) {
            points.push_back({other->done, other->queued});
        }
    };
    if (is_legacy(stream)) {
        for (CUstream other : state().streams) add(other);
        for (CUstream other : state().ending) add(other);
        for (const auto& other : state().legacy) add(other.get());
    } else if (is_blocking(stream)) {
        add(legacy_of(stream->context));
    }
    return points;
}

}  // namespace

CUstream resolve(CUstream stream) {
    State& s = state();
    if (stream == nullptr || stream == CU_STREAM_LEGACY) return legacy_of(current_context);
    if (stream == CU_STREAM_PER_THREAD) return per_thread();
    if (s.streams.count(stream)) return stream;
    count("streams that are none");  // a real driver may follow it
    return nullptr;
}

std::uint64_t put(CUstream stream, Work work) {
    std::vector<Point> points = implicit_waits(stream);
    std::uint64_t ticket = ++stream->queued;
    auto ordered = [points = std::move(points), work = std::move(work)] {
        for (const Point& point : points) {
            Lock lock(state().mutex);
            wait_for(lock, point.stream, point.ticket);
        }
        work();
    };
    stream->queue.push_back({ticket, std::move(ordered)});
    if (!stream->worker.joinable()) stream->worker = std::thread(&run_worker, stream);
    stream->wake.notify_all();
    return ticket;
}

void wait_for(Lock& lock, const Progress& stream, std::uint64_t ticket) {
    State& s = state();
    if (s.waiting++ == 0 && settings().is_lazy) wake_all();
    s.changed.wait(lock, [&] { return *stream >= ticket; });
    --s.waiting;
}

void wait_for_all(Lock& lock, int device) {
    std::vector<Point> points;
    State& s = state();
    for (CUstream stream : s.streams) {
        if (stream->context->device == device) points.push_back({stream->done, stream->queued});
    }
    for (CUstream stream : s.ending) {
        if (stream->context->device == device) points.push_back({stream->done, stream->queued});
    }
    for (const auto& stream : s.legacy) {
        if (stream->context->device == device) points.push_back({stream->done, stream->queued});
    }
    for (const Point& point : points) wait_for(lock, point.stream, point.ticket);
}

namespace {

CUresult create_with_priority(CUstream* out, unsigned flags, int priority) {
    FAKE_CUDA_ENTER(cuStreamCreateWithPriority, context);
    if (flags & ~static_cast<unsigned>(CU_STREAM_NON_BLOCKING)) return CUDA_ERROR_INVALID_VALUE;
    Lock lock(state().mutex);
    *out = make(flags, priority);
    return CUDA_SUCCESS;
}

CUresult create(CUstream* out, unsigned flags) {
    FAKE_CUDA_ENTER(cuStreamCreate, context);
    if (flags & ~static_cast<unsigned>(CU_STREAM_NON_BLOCKING)) return CUDA_ERROR_INVALID_VALUE;
    Lock lock(state().mutex);
    *out = make(flags, 0);
    return CUDA_SUCCESS;
}

// What is on the stream is still done; nobody waits for it here.
CUresult destroy(CUstream stream) {
    FAKE_CUDA_ENTER_LATE(cuStreamDestroy, driver);
    State& s = state();
    Lock lock(s.mutex);
    if (!s.streams.count(stream)) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) {
        invalidate(*stream->capture);
        leave_capture(stream);
    }
    s.streams.erase(stream);
    if (!stream->worker.joinable()) {
        delete stream;
        return late;
    }
    stream->is_ending = true;
    s.ending.insert(stream);
    stream->worker.detach();
    stream->wake.notify_all();
    return late;
}

CUresult refuse_in_capture(CUstream stream) {
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) {
        invalidate(*stream->capture);
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    return require_no_implicit_dependency(stream);
}

CUresult synchronize(CUstream raw) {
    FAKE_CUDA_ENTER(cuStreamSynchronize, context);
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (CUresult refused = refuse_in_capture(stream)) return refused;
    std::vector<Point> points = implicit_waits(stream);
    if (!is_legacy(stream)) points.clear();
    points.push_back({stream->done, stream->queued});
    for (const Point& point : points) wait_for(lock, point.stream, point.ticket);
    return CUDA_SUCCESS;
}

CUresult query(CUstream raw) {
    FAKE_CUDA_ENTER(cuStreamQuery, context);
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (CUresult refused = refuse_in_capture(stream)) return refused;
    return *stream->done == stream->queued ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult context_of(CUstream raw, CUcontext* context) {
    FAKE_CUDA_ENTER(cuStreamGetCtx, context);
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    *context = stream->context;
    return CUDA_SUCCESS;
}

CUresult flags_of(CUstream raw, unsigned* flags) {
    FAKE_CUDA_ENTER(cuStreamGetFlags, context);
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    *flags = stream->flags;
    return CUDA_SUCCESS;
}

}  // namespace

std::vector<Entry> stream_entries() {
    return {
        FAKE_CUDA_ENTRY(cuStreamCreate, 2000, create),
        FAKE_CUDA_ENTRY(cuStreamCreateWithPriority, 5050, create_with_priority),
        FAKE_CUDA_ENTRY(cuStreamDestroy, 4000, destroy),
        FAKE_CUDA_ENTRY(cuStreamSynchronize, 2000, synchronize),
        FAKE_CUDA_ENTRY(cuStreamQuery, 2000, query),
        FAKE_CUDA_ENTRY(cuStreamGetCtx, 9020, context_of),
        FAKE_CUDA_ENTRY(cuStreamGetFlags, 5050, flags_of),
    };
}

}  // namespace fake_cuda
