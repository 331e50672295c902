#include "exec/Busy.h"

#include <eagle/Error.h>
#include <pthread.h>

#include <string>

namespace eagle::exec {
namespace {

constinit std::atomic<std::uint32_t> number{1};
const int registered = pthread_atfork(nullptr, nullptr, [] { number.fetch_add(1, std::memory_order_relaxed); });

}  // namespace

std::uint32_t process_number() noexcept { return number.load(std::memory_order_relaxed); }

void Entered::refuse(std::uint32_t holder, const char* what) {
    (void)registered;
    if (holder != process_number())
        throw Busy(std::string("this ") + what +
                   " was running on another thread when the process was forked, and that run stayed in the "
                   "parent, so this copy of it is half done for ever; make another one in this process");
    throw Busy(std::string("this ") + what +
               " is running already, and serves one caller at a time; wait for it, make one for each thread, "
               "and do not enter it from a function that it calls");
}

}  // namespace eagle::exec
