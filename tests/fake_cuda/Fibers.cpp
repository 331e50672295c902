// The threads of a block as fibers of one thread.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "fake_cuda/DeviceSource.h"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace fake_cuda {
namespace {

constexpr std::size_t stack_bytes = 64 * 1024;
constexpr unsigned warp = 32;

#if defined(__x86_64__)
// Saves what a callee must keep, and goes on where the other stack left off. A system's swapcontext costs two system
// calls each time.
extern "C" void fake_cuda_switch_stack(void** from, void* to);
__asm__(R"(
    .text
    .hidden fake_cuda_switch_stack
    .globl fake_cuda_switch_stack
    .type fake_cuda_switch_stack, @function
fake_cuda_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size fake_cuda_switch_stack, .-fake_cuda_switch_stack
)");

struct Place {
    void* stack = nullptr;
    void start(char* memory, void (*entry)()) {
        void** top = reinterpret_cast<void**>(memory + stack_bytes);
        *--top = nullptr;  // so that entry begins with the alignment that a call would give it
        *--top = reinterpret_cast<void*>(entry);
        stack = top - 6;
    }
    void go(Place& to) { fake_cuda_switch_stack(&stack, to.stack); }
};
#else
struct Place {
    ucontext_t context;
    void start(char* memory, void (*entry)()) {
        getcontext(&context);
        context.uc_stack.ss_sp = memory;
        context.uc_stack.ss_size = stack_bytes;
        context.uc_link = nullptr;
        makecontext(&context, entry, 0);
    }
    void go(Place& to) { swapcontext(&context, &to.context); }
};
#endif

enum class Waits { no, barrier, ballot, shuffle };

struct Fiber {
    Place place;
    char* memory = nullptr;
    bool is_done = false;
    Waits waits = Waits::no;
    unsigned value = 0;
    int source = 0;
    void* sanitizer = nullptr;
};

// What one thread of this machine runs blocks with.
class Block {
  public:
    ~Block() {
        for (Fiber& fiber : fibers_) release(fiber);
    }
    void run(const Launch& launch, void (*body)(void*), void* context);

    Dim3 thread{}, block{}, block_size{}, grid_size{};
    unsigned meet(Waits waits, unsigned value, int source);
    void finish();
    void (*body)(void*) = nullptr;
    void* context = nullptr;
    const Launch* launch = nullptr;

  private:
    static void release(Fiber& fiber);
    void run_block(unsigned threads, unsigned seed);
    bool step(unsigned i);
    bool let_warp_on(unsigned first, unsigned end);
    bool let_barrier_on(unsigned threads);
    void enter(Fiber& fiber);
    void leave(Fiber& fiber, bool for_good);

    std::vector<Fiber> fibers_;
    Place main_;
    unsigned current_ = 0;
    void* main_sanitizer_ = nullptr;
    const void* main_bottom_ = nullptr;
    std::size_t main_bytes_ = 0;
};

thread_local Block* here = nullptr;

Block& block_here() {
    if (here) return *here;
    std::fputs("fake_cuda: device code was called outside of a kernel\n", stderr);
    std::abort();
}

void entry_of_fiber() {
    Block& block = block_here();
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
    block.body(block.context);
    block.finish();
}

void Block::release(Fiber& fiber) {
    if (fiber.memory) munmap(fiber.memory, stack_bytes);
#if defined(__SANITIZE_THREAD__)
    if (fiber.sanitizer) __tsan_destroy_fiber(fiber.sanitizer);
#endif
}

void Block::enter(Fiber& fiber) {
#if defined(__SANITIZE_THREAD__)
    if (!fiber.sanitizer) fiber.sanitizer = __tsan_create_fiber(0);
    main_sanitizer_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber.sanitizer, 0);
#endif
#if defined(__SANITIZE_ADDRESS__)
    void* fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, fiber.memory, stack_bytes);
#endif
    main_.go(fiber.place);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

void Block::leave(Fiber& fiber, [[maybe_unused]] bool for_good) {
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(main_sanitizer_, 0);
#endif
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(for_good ? nullptr : &fiber.sanitizer, main_bottom_, main_bytes_);
#endif
    fiber.place.go(main_);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fiber.sanitizer, nullptr, nullptr);
#endif
}

unsigned Block::meet(Waits waits, unsigned value, int source) {
    Fiber& fiber = fibers_[current_];
    fiber.waits = waits;
    fiber.value = value;
    fiber.source = source;
    leave(fiber, false);
    return fiber.value;
}

void Block::finish() {
    Fiber& fiber = fibers_[current_];
    fiber.is_done = true;
    leave(fiber, true);
}

bool Block::step(unsigned i) {
    Fiber& fiber = fibers_[i];
    if (fiber.is_done || fiber.waits != Waits::no) return false;
    current_ = i;
    thread = {i % block_size.x, i / block_size.x % block_size.y, i / (block_size.x * block_size.y)};
    enter(fiber);
    return true;
}

// When every thread of the warp that is not done has come to the same operation.
bool Block::let_warp_on(unsigned first, unsigned end) {
    Waits kind = Waits::no;
    for (unsigned i = first; i < end; ++i) {
        const Fiber& fiber = fibers_[i];
        if (fiber.is_done) continue;
        if (fiber.waits == Waits::no || fiber.waits == Waits::barrier) return false;
        if (kind != Waits::no && fiber.waits != kind) return false;
        kind = fiber.waits;
    }
    if (kind == Waits::no) return false;
    unsigned votes = 0;
    std::array<unsigned, warp> values{};
    for (unsigned i = first; i < end; ++i) {
        values[i - first] = fibers_[i].value;
        if (!fibers_[i].is_done && fibers_[i].value) votes |= 1u << (i - first);
    }
    for (unsigned i = first; i < end; ++i) {
        Fiber& fiber = fibers_[i];
        if (fiber.is_done) continue;
        bool has_source = fiber.source >= 0 && first + static_cast<unsigned>(fiber.source) < end;
        if (kind == Waits::ballot) fiber.value = votes;
        if (kind == Waits::shuffle && has_source) fiber.value = values[static_cast<unsigned>(fiber.source)];
        fiber.waits = Waits::no;
    }
    return true;
}

bool Block::let_barrier_on(unsigned threads) {
    for (unsigned i = 0; i < threads; ++i) {
        if (!fibers_[i].is_done && fibers_[i].waits != Waits::barrier) return false;
    }
    for (unsigned i = 0; i < threads; ++i) fibers_[i].waits = Waits::no;
    return true;
}

void Block::run_block(unsigned threads, unsigned seed) {
    for (unsigned i = 0; i < threads; ++i) {
        fibers_[i].is_done = false;
        fibers_[i].waits = Waits::no;
        fibers_[i].place.start(fibers_[i].memory, &entry_of_fiber);
    }
    const unsigned warps = (threads + warp - 1) / warp;
    for (unsigned turn = 0;; ++turn) {
        bool has_moved = false;
        for (unsigned k = 0; k < warps; ++k) {
            // Warps of a block come in no order; a missing barrier shows under one seed or another.
            unsigned w = (seed + turn) % 2 == 0 ? k : warps - 1 - k;
            unsigned end = w * warp + warp < threads ? w * warp + warp : threads;
            for (unsigned i = w * warp; i < end; ++i) has_moved |= step(i);
            has_moved |= let_warp_on(w * warp, end);
        }
        bool is_done = true;
        for (unsigned i = 0; i < threads; ++i) is_done &= fibers_[i].is_done;
        if (is_done) return;
        if (!let_barrier_on(threads) && !has_moved) {
            std::fputs("fake_cuda: threads of a block wait for each other at different places\n", stderr);
            std::abort();
        }
    }
}

void Block::run(const Launch& of, void (*thread_body)(void*), void* thread_context) {
    const unsigned threads = of.block_x * of.block_y * of.block_z;
    if (fibers_.size() < threads) fibers_.resize(threads);
    for (unsigned i = 0; i < threads; ++i) {
        if (fibers_[i].memory) continue;
        void* memory =
            mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) std::abort();
        fibers_[i].memory = static_cast<char*>(memory);
    }
#if defined(__SANITIZE_ADDRESS__)
    pthread_attr_t attributes;
    void* bottom = nullptr;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstack(&attributes, &bottom, &main_bytes_);
    pthread_attr_destroy(&attributes);
    main_bottom_ = bottom;
#endif
    body = thread_body;
    context = thread_context;
    launch = &of;
    block_size = {of.block_x, of.block_y, of.block_z};
    grid_size = {of.grid_x, of.grid_y, of.grid_z};
    for (unsigned z = 0; z < of.grid_z; ++z) {
        for (unsigned y = 0; y < of.grid_y; ++y) {
            for (unsigned x = 0; x < of.grid_x; ++x) {
                block = {x, y, z};
                run_block(threads, of.seed + x);
            }
        }
    }
}

}  // namespace

Dim3 thread_index() { return block_here().thread; }
Dim3 block_index() { return block_here().block; }
Dim3 block_size() { return block_here().block_size; }
Dim3 grid_size() { return block_here().grid_size; }
void barrier() { block_here().meet(Waits::barrier, 0, 0); }
unsigned ballot(bool vote) { return block_here().meet(Waits::ballot, vote ? 1 : 0, 0); }
unsigned shuffle(unsigned value, int source_lane) { return block_here().meet(Waits::shuffle, value, source_lane); }

void run_threads(const Launch& launch, void (*body)(void* context), void* context) {
    thread_local std::unique_ptr<Block> block;
    if (!block) block = std::make_unique<Block>();
    here = block.get();
    block->run(launch, body, context);
    here = nullptr;
}

}  // namespace fake_cuda

extern "C" __attribute__((visibility("hidden"))) void cudaGraphSetConditional(unsigned long long handle,
                                                                              unsigned value) {
    fake_cuda::block_here().launch->set_conditional(handle, value);
}
