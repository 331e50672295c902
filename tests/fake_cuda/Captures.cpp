// Captures, with the codes that the driver gives where its rules are broken.
#include "Entry.h"

namespace fake_cuda {

void invalidate(Capture& capture) { capture.is_invalid = true; }

void leave_capture(CUstream stream) {
    std::shared_ptr<Capture> capture = std::move(stream->capture);
    stream->capture.reset();
    stream->tip.clear();
    if (capture->origin != stream) return;
    for (CUstream other : state().streams) {
        if (other->capture != capture) continue;
        other->capture.reset();
        other->tip.clear();
    }
    state().captures.erase(capture->id);
    if (capture->is_invalid && capture->owns_graph) delete capture->graph;
}

// A thread in global mode (the default) minds its own captures that are not relaxed, and those of others that are
// global; one in thread-local mode minds its own alone; one in relaxed mode minds none.
CUresult require_no_unsafe_call() {
    if (thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_SUCCESS;
    CUresult result = CUDA_SUCCESS;
    for (CUstream stream : state().streams) {
        Capture* capture = stream->capture.get();
        if (!capture || capture->origin != stream || capture->mode == CU_STREAM_CAPTURE_MODE_RELAXED) continue;
        bool is_own = capture->thread == std::this_thread::get_id();
        bool is_global = thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL && capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
        if (!is_own && !is_global) continue;
        invalidate(*capture);
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    return result;
}

CUresult require_no_implicit_dependency(CUstream stream, bool is_question) {
    if (state().streams.count(stream)) return CUDA_SUCCESS;
    CUresult result = CUDA_SUCCESS;
    for (CUstream other : state().streams) {
        bool is_touched =
            other->capture && other->context == stream->context && !(other->flags & CU_STREAM_NON_BLOCKING);
        if (!is_touched) continue;
        if (!is_question) invalidate(*other->capture);
        result = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    }
    return result;
}

CUresult record(CUstream stream, CUgraphNodeType type, CUgraphNode* out) {
    if (stream->capture->is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    *out = add_node(stream->capture->graph, type, stream->tip.data(), stream->tip.size());
    stream->tip.assign(1, *out);
    return CUDA_SUCCESS;
}

namespace {

bool are_nodes_of(CUgraph graph, const CUgraphNode* nodes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (!state().nodes.count(nodes[i]) || nodes[i]->graph != graph) return false;
    }
    return true;
}

CUresult begin(CUstream raw, CUgraph graph, const CUgraphNode* after, std::size_t count, CUstreamCaptureMode mode) {
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (!state().streams.count(stream)) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (stream->capture) return CUDA_ERROR_ILLEGAL_STATE;
    if (graph && !(state().graphs.count(graph) && are_nodes_of(graph, after, count))) return CUDA_ERROR_INVALID_VALUE;
    auto capture = std::make_shared<Capture>();
    capture->id = state().next_id++;
    capture->owns_graph = graph == nullptr;
    capture->graph = graph ? graph : new CUgraph_st;
    capture->origin = stream;
    capture->mode = mode;
    state().captures.insert(capture->id);
    stream->capture = std::move(capture);
    stream->tip.assign(after, after + count);
    return CUDA_SUCCESS;
}

CUresult begin_capture(CUstream stream, CUstreamCaptureMode mode) {
    FAKE_CUDA_ENTER(cuStreamBeginCapture, context);
    return begin(stream, nullptr, nullptr, 0, mode);
}

CUresult begin_capture_to_graph(CUstream stream, CUgraph graph, const CUgraphNode* after, const CUgraphEdgeData*,
                                std::size_t count, CUstreamCaptureMode mode) {
    FAKE_CUDA_ENTER(cuStreamBeginCaptureToGraph, context);
    if (!graph) return CUDA_ERROR_INVALID_VALUE;
    return begin(stream, graph, after, count, mode);
}

void collect(CUgraphNode node, std::set<CUgraphNode>& found) {
    if (!found.insert(node).second) return;
    for (CUgraphNode before : node->after) collect(before, found);
}

bool is_joined(CUstream origin) {
    std::set<CUgraphNode> reached;
    for (CUgraphNode node : origin->tip) collect(node, reached);
    for (CUstream other : state().streams) {
        if (other == origin || other->capture != origin->capture) continue;
        for (CUgraphNode node : other->tip) {
            if (!reached.count(node)) return false;
        }
    }
    return true;
}

CUresult end_capture(CUstream raw, CUgraph* out) {
    FAKE_CUDA_ENTER_LATE(cuStreamEndCapture, context);
    *out = nullptr;
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (!stream->capture) return CUDA_ERROR_ILLEGAL_STATE;
    Capture& capture = *stream->capture;
    if (capture.origin != stream) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    bool is_elsewhere = capture.thread != std::this_thread::get_id();
    if (is_elsewhere && capture.mode != CU_STREAM_CAPTURE_MODE_RELAXED) return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    CUresult result = capture.is_invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
    if (!result && !is_joined(stream)) result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    if (!result) result = late;
    if (result) {
        capture.is_invalid = true;
    } else {
        *out = capture.graph;
    }
    leave_capture(stream);
    return result;
}

CUstreamCaptureStatus status_of(CUstream stream) {
    if (!stream->capture) return CU_STREAM_CAPTURE_STATUS_NONE;
    return stream->capture->is_invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

CUresult is_capturing(CUstream raw, CUstreamCaptureStatus* status) {
    FAKE_CUDA_ENTER(cuStreamIsCapturing, context);
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (CUresult refused = require_no_implicit_dependency(stream, true)) return refused;
    *status = status_of(stream);
    return CUDA_SUCCESS;
}

CUresult info(CUstream raw, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph, const CUgraphNode** tip,
              std::size_t* count) {
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (CUresult refused = require_no_implicit_dependency(stream, true)) return refused;
    *status = status_of(stream);
    // cuda.h, cuStreamGetCaptureInfo: other data is valid only while the capture is active.
    if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return CUDA_SUCCESS;
    if (id) *id = stream->capture->id;
    if (graph) *graph = stream->capture->graph;
    if (tip) *tip = stream->tip.data();
    if (count) *count = stream->tip.size();
    return CUDA_SUCCESS;
}

CUresult capture_info(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                      const CUgraphNode** tip, std::size_t* count) {
    FAKE_CUDA_ENTER(cuStreamGetCaptureInfo, context);
    return info(stream, status, id, graph, tip, count);
}

CUresult capture_info_with_edges(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                 const CUgraphNode** tip, const CUgraphEdgeData** edges, std::size_t* count) {
    FAKE_CUDA_ENTER(cuStreamGetCaptureInfo, context);
    if (edges) *edges = nullptr;
    return info(stream, status, id, graph, tip, count);
}

CUresult set_tip(CUstream raw, CUgraphNode* nodes, std::size_t count, unsigned flags) {
    Lock lock(state().mutex);
    CUstream stream = resolve(raw);
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (!stream->capture) return CUDA_ERROR_ILLEGAL_STATE;
    if (stream->capture->is_invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (!are_nodes_of(stream->capture->graph, nodes, count)) return CUDA_ERROR_INVALID_VALUE;
    if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) stream->tip.clear();
    std::set<CUgraphNode> tip(stream->tip.begin(), stream->tip.end());
    for (std::size_t i = 0; i < count; ++i) {
        if (tip.insert(nodes[i]).second) stream->tip.push_back(nodes[i]);
    }
    return CUDA_SUCCESS;
}

CUresult update_tip(CUstream stream, CUgraphNode* nodes, std::size_t count, unsigned flags) {
    FAKE_CUDA_ENTER(cuStreamUpdateCaptureDependencies, context);
    return set_tip(stream, nodes, count, flags);
}

CUresult update_tip_with_edges(CUstream stream, CUgraphNode* nodes, const CUgraphEdgeData*, std::size_t count,
                               unsigned flags) {
    FAKE_CUDA_ENTER(cuStreamUpdateCaptureDependencies, context);
    return set_tip(stream, nodes, count, flags);
}

CUresult exchange_mode(CUstreamCaptureMode* mode) {
    FAKE_CUDA_ENTER_LATE(cuThreadExchangeStreamCaptureMode, driver);
    std::swap(*mode, thread_mode);
    return late;
}

}  // namespace

std::vector<Entry> capture_entries() {
    return {
        FAKE_CUDA_ENTRY(cuStreamBeginCapture, 10010, begin_capture),
        FAKE_CUDA_ENTRY(cuStreamBeginCaptureToGraph, 12030, begin_capture_to_graph),
        FAKE_CUDA_ENTRY(cuStreamEndCapture, 10000, end_capture),
        FAKE_CUDA_ENTRY(cuStreamIsCapturing, 10000, is_capturing),
        FAKE_CUDA_ENTRY(cuStreamGetCaptureInfo, 11030, capture_info),
        FAKE_CUDA_ENTRY(cuStreamGetCaptureInfo, 12030, capture_info_with_edges),
        FAKE_CUDA_ENTRY(cuStreamUpdateCaptureDependencies, 11030, update_tip),
        FAKE_CUDA_ENTRY(cuStreamUpdateCaptureDependencies, 12030, update_tip_with_edges),
        FAKE_CUDA_ENTRY(cuThreadExchangeStreamCaptureMode, 10010, exchange_mode),
    };
}

}  // namespace fake_cuda
