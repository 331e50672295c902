// What happens to the engine when its process forks: every lock is taken before, in one order, so that the child gets
// each object whole; then the child drops what belonged to threads it does not have.
#include <pthread.h>

#include <new>

#include "DeviceMemory.h"
#include "HostMemory.h"
#include "Kind.h"
#include "Modules.h"
#include "ProcessWide.h"
#include "RecordedGraph.h"
#include "Streams.h"
#include "Team.h"

namespace eagle::host {
namespace {

template <class T, class F>
void if_made(F&& f) {
    if (T* object = process_object<T>.load(std::memory_order_acquire)) f(*object);
}

void before() {
    construction().lock();
    if_made<std::recursive_mutex>([](std::recursive_mutex& graphs) { graphs.lock(); });
    if_made<Streams>([](Streams& s) { s.mutex().lock(); });
    this_kind.memory().before_fork();
    if_made<HostMemory>([](HostMemory& m) { m.mutex().lock(); });
    if_made<Modules>([](Modules& m) { m.mutex().lock(); });
}

void release_all(bool is_child) {
    if_made<Modules>([](Modules& m) { m.mutex().unlock(); });
    if_made<HostMemory>([](HostMemory& m) { m.mutex().unlock(); });
    this_kind.memory().after_fork(is_child);
    if_made<Streams>([](Streams& s) { s.mutex().unlock(); });
}

void in_parent() {
    release_all(false);
    if_made<std::recursive_mutex>([](std::recursive_mutex& graphs) { graphs.unlock(); });
    construction().unlock();
}

void in_child() {
    if_made<Streams>([](Streams& s) { s.reset_in_child(); });
    Team::reset_all_in_child();
    release_all(true);
    // The owner of both is a thread of the parent.
    if_made<std::recursive_mutex>([](std::recursive_mutex& graphs) { new (&graphs) std::recursive_mutex(); });
    new (&construction()) std::recursive_mutex();
}

// While the library is opened: registering costs nothing and starts nothing.
const int registered = pthread_atfork(&before, &in_parent, &in_child);

}  // namespace

std::recursive_mutex& construction() {
    static constinit union Storage {
        constexpr Storage() : mutex() {}
        ~Storage() {}  // used until the process ends
        std::recursive_mutex mutex;
    } storage;
    (void)registered;
    return storage.mutex;
}

}  // namespace eagle::host
