#include "Threads.h"

#include <pthread.h>
#include <signal.h>

#include <memory>
#include <new>

namespace eagle::host {
namespace {

struct Start {
    const char* name;
    void (*body)(void*);
    void* arg;
};

void* thread_main(void* raw) {
    Start start = *static_cast<Start*>(raw);
    delete static_cast<Start*>(raw);
    pthread_setname_np(pthread_self(), start.name);
    start.body(start.arg);
    return nullptr;
}

}  // namespace

bool start_detached(const char* name, void (*body)(void* arg), void* arg) noexcept {
    std::unique_ptr<Start> start(new (std::nothrow) Start{name, body, arg});
    pthread_attr_t attributes;
    if (!start || pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // Signals to the process are its own threads'. A fault in a kernel is of the thread that runs it: where it is
    // blocked, the system ends the process past every handler, and nobody reports where it was.
    sigset_t full, old;
    sigfillset(&full);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) sigdelset(&full, fault);
    pthread_sigmask(SIG_SETMASK, &full, &old);
    pthread_t thread;
    bool made = pthread_create(&thread, &attributes, &thread_main, start.get()) == 0;
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
    pthread_attr_destroy(&attributes);
    if (made) start.release();
    return made;
}

}  // namespace eagle::host
