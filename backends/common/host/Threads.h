// Threads that belong to the process and not to a scope.
#pragma once

namespace eagle::host {

// Starts a thread that nobody joins and that takes no signals: an interrupt belongs to the application's threads. False
// when the system gives none.
bool start_detached(const char* name, void (*body)(void* arg), void* arg) noexcept;

}  // namespace eagle::host
