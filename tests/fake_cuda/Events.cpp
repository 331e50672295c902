// Events, and streams that wait for them.
#include <chrono>

#include "Entry.h"

namespace fake_cuda {
namespace {

CUresult create(CUevent* out, unsigned flags) {
    FAKE_CUDA_ENTER(cuEventCreate, context);
    Lock lock(state().mutex);
    *out = new CUevent_st;
    (*out)->flags = flags;
    (*out)->context = current_context;
    state().events.insert(*out);
    return CUDA_SUCCESS;
}

CUresult destroy(CUevent event) {
    FAKE_CUDA_ENTER_LATE(cuEventDestroy, driver);
    Lock lock(state().mutex);
    if (!state().events.erase(event)) return CUDA_ERROR_INVALID_HANDLE;
    delete event;
    return late;
}

CUresult record_on(CUevent event, CUstream raw) {
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream || !state().events.count(event)) return CUDA_ERROR_INVALID_HANDLE;
    if (event->context != stream->context) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) {
        if (stream->capture->is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
        event->capture_id = stream->capture->id;
        event->tip = stream->tip;
        return CUDA_SUCCESS;
    }
    if (CUresult refused = require_no_implicit_dependency(stream)) return refused;
    event->capture_id = 0;
    event->stream = stream->done;
    bool is_timed = (event->flags & CU_EVENT_DISABLE_TIMING) == 0;
    event->ticket = put(stream, [event, is_timed] {
        if (!is_timed) return;
        Lock inner(state().mutex);
        if (!state().events.count(event)) return;
        event->nanoseconds = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    });
    return CUDA_SUCCESS;
}

CUresult record_event(CUevent event, CUstream stream) {
    FAKE_CUDA_ENTER(cuEventRecord, context);
    return record_on(event, stream);
}

bool is_done(CUevent event) { return !event->stream || *event->stream >= event->ticket; }

CUresult query(CUevent event) {
    FAKE_CUDA_ENTER(cuEventQuery, context);
    Lock lock(state().mutex);
    if (!state().events.count(event)) return CUDA_ERROR_INVALID_HANDLE;
    if (event->capture_id) return CUDA_ERROR_CAPTURED_EVENT;
    return is_done(event) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult synchronize(CUevent event) {
    FAKE_CUDA_ENTER(cuEventSynchronize, context);
    Lock lock(state().mutex);
    if (!state().events.count(event)) return CUDA_ERROR_INVALID_HANDLE;
    if (event->capture_id) return CUDA_ERROR_CAPTURED_EVENT;
    if (CUresult refused = require_no_unsafe_call()) return refused;
    const Progress stream = event->stream;  // another thread may record the event anew meanwhile
    if (stream) wait_for(lock, stream, event->ticket);
    return CUDA_SUCCESS;
}

CUresult elapsed(float* milliseconds, CUevent from, CUevent to) {
    FAKE_CUDA_ENTER(cuEventElapsedTime, context);
    Lock lock(state().mutex);
    if ((from->flags | to->flags) & CU_EVENT_DISABLE_TIMING) return CUDA_ERROR_INVALID_HANDLE;
    if (!is_done(from) || !is_done(to)) return CUDA_ERROR_NOT_READY;
    *milliseconds = static_cast<float>(static_cast<double>(to->nanoseconds - from->nanoseconds) * 1e-6);
    return CUDA_SUCCESS;
}

// An event of a capture brings the stream that waits for it into that capture.
CUresult join_capture(CUstream stream, CUevent event) {
    State& s = state();
    std::shared_ptr<Capture> capture;
    for (CUstream other : s.streams) {
        if (other->capture && other->capture->id == event->capture_id) capture = other->capture;
    }
    if (!capture) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    if (capture->is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (!s.streams.count(stream)) {
        invalidate(*capture);
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    if (!stream->capture) {
        stream->capture = capture;
        stream->tip.clear();
    }
    if (stream->capture != capture) {
        invalidate(*stream->capture);
        invalidate(*capture);
        return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    }
    std::set<CUgraphNode> tip(stream->tip.begin(), stream->tip.end());
    for (CUgraphNode node : event->tip) {
        if (tip.insert(node).second) stream->tip.push_back(node);
    }
    return CUDA_SUCCESS;
}

CUresult wait_event(CUstream raw, CUevent event, unsigned flags) {
    FAKE_CUDA_ENTER(cuStreamWaitEvent, context);
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream || !state().events.count(event)) return CUDA_ERROR_INVALID_HANDLE;
    if (flags != 0) return CUDA_ERROR_NOT_SUPPORTED;
    if (event->capture_id) return join_capture(stream, event);
    if (stream->capture) {
        invalidate(*stream->capture);
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    if (CUresult refused = require_no_implicit_dependency(stream)) return refused;
    Progress other = event->stream;
    std::uint64_t ticket = event->ticket;
    if (!other || other == stream->done) return CUDA_SUCCESS;
    put(stream, [other, ticket] {
        Lock inner(state().mutex);
        wait_for(inner, other, ticket);
    });
    return CUDA_SUCCESS;
}

}  // namespace

std::vector<Entry> event_entries() {
    return {
        FAKE_CUDA_ENTRY(cuEventCreate, 2000, create),           FAKE_CUDA_ENTRY(cuEventDestroy, 4000, destroy),
        FAKE_CUDA_ENTRY(cuEventRecord, 2000, record_event),     FAKE_CUDA_ENTRY(cuEventQuery, 2000, query),
        FAKE_CUDA_ENTRY(cuEventSynchronize, 2000, synchronize), FAKE_CUDA_ENTRY(cuEventElapsedTime, 2000, elapsed),
        FAKE_CUDA_ENTRY(cuStreamWaitEvent, 3020, wait_event),
    };
}

}  // namespace fake_cuda
