#include "exec/Kept.h"

#include <eagle/Capture.h>

#include <utility>

#include "backend/Entry.h"

namespace eagle::exec {

void Kept::until_done(Stream& stream, Owners owners) {
    if (owners.empty()) return;
    if (stream.backend().table().host_func == nullptr) return stream.synchronize();
    Note& note = notes_.emplace_back();
    note.owners = std::move(owners);
    host_function(
        stream.backend(), stream.native(),
        [](void* done) { static_cast<std::atomic<bool>*>(done)->store(true, std::memory_order_release); }, &note.done);
}

void Kept::let_go() {
    notes_.remove_if([](const Note& note) { return note.done.load(std::memory_order_acquire); });
}

}  // namespace eagle::exec
