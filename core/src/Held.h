// What an object that can be moved from holds.
#pragma once
#include <eagle/Error.h>

#include <string>

namespace eagle {

// What `state` points at. Throws BadHandle when the object, a `noun`, was moved from.
template <class Pointer>
auto& held(const Pointer& state, const char* noun) {
    if (state) return *state;
    throw BadHandle(std::string("eagle: this ") + noun +
                    " was moved from; needs the object that it was moved to, or one " +
                    "that something was assigned to");
}

}  // namespace eagle
