#include <eagle/conformance/Gate.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace eagle::conformance {

struct Gate::State {
    std::mutex mutex;
    std::condition_variable changed;
    bool inside = false, open = false;

    // Owns a share of the state, so that a gate that is never reached harms nobody.
    static void run(void* ctx) {
        const std::unique_ptr<std::shared_ptr<State>> mine(static_cast<std::shared_ptr<State>*>(ctx));
        State& state = **mine;
        std::unique_lock lock(state.mutex);
        state.inside = true;
        state.changed.notify_all();
        state.changed.wait(lock, [&] { return state.open; });
    }
};

Gate::Gate(Context& c, std::uint64_t stream, bool wait_until_reached) : state_(std::make_shared<State>()) {
    auto shared = std::make_unique<std::shared_ptr<State>>(state_);
    ROW_OK(c, c.seam.host_func(stream, &State::run, shared.get()));
    (void)shared.release();
    std::unique_lock lock(state_->mutex);
    const bool reached =
        !wait_until_reached || state_->changed.wait_for(lock, std::chrono::seconds(20), [&] { return state_->inside; });
    if (!reached) state_->open = true;  // nobody will: the destructor does not run
    ROW_REQUIRE(c, reached);
}

Gate::~Gate() { open(); }

void Gate::open() {
    const std::lock_guard lock(state_->mutex);
    state_->open = true;
    state_->changed.notify_all();
}

struct Finish::State {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    eagle_backend_status status = EAGLE_BACKEND_OK;
    std::thread thread;
};

Finish::Finish(Context& c, Gate& gate, eagle_backend_stream stream) : gate_(gate), state_(std::make_unique<State>()) {
    const auto synchronize = c.seam.stream_synchronize;
    state_->thread = std::thread([state = state_.get(), synchronize, stream] {
        const eagle_backend_status status = synchronize(stream);
        const std::lock_guard lock(state->mutex);
        state->status = status;
        state->done = true;
        state->changed.notify_all();
    });
}

Finish::~Finish() { status(); }

bool Finish::within(int milliseconds) {
    std::unique_lock lock(state_->mutex);
    return state_->changed.wait_for(lock, std::chrono::milliseconds(milliseconds), [&] { return state_->done; });
}

eagle_backend_status Finish::status() {
    gate_.open();
    if (state_->thread.joinable()) state_->thread.join();
    return state_->status;
}

}  // namespace eagle::conformance
