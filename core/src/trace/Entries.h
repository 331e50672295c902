// Entries of eagle's own in front of kernels that are functions of the host.
#pragma once
#include <cstdint>
#include <string>

#include "trace/Session.h"

namespace eagle::trace {

using HostKernel = void (*)(void* const* params, std::int64_t base, std::int64_t count, std::int64_t n_samples);

// The first argument of such a launch, by value: what is noted, and what is called with the arguments that follow.
struct Ticket {
    std::uint64_t kernel;  // the real entry
    SessionId session;
    std::uint64_t launch;
    std::uint32_t subject;
    EventKind kind;
};

// Calls the kernel and notes the part, where the ticket's recording still runs. There are 64 of them, so that kernels
// do not share one: a backend remembers by the entry what a sample costs.
std::uint64_t entry_before(std::uint64_t kernel);
// Notes the moment that it runs, and calls nothing.
std::uint64_t mark_entry();
// Whether `function` lies in the code of a file that this process has loaded.
bool is_code(std::uint64_t function);
// Its name there; empty where the file gives none.
std::string symbol_of(std::uint64_t function);

}  // namespace eagle::trace
