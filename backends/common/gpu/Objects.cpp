#include "Objects.h"

namespace eagle::gpu {

std::recursive_mutex& engine_lock() {
    static std::recursive_mutex& lock = *new std::recursive_mutex;
    return lock;
}

}  // namespace eagle::gpu
