// A backend of a GPU kind over the fake CUDA driver, for tests: the seam's functions, and what the fake counts. Kind
// hip comes to it through a shim.
#pragma once
#include <cuda.h>
#include <cudaTypedefs.h>
#include <eagle/seam/eagle_backend.h>
#include <fake_cuda/Control.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

namespace client {

void* address_of(const char* symbol);         // of the backend
void* fake(const char* symbol);               // of the fake driver
void* driver(const char* name, int version);  // a function of the driver that the fake is

#define EAGLE_SYMBOL(group, name, since, bound) \
    inline const auto name = reinterpret_cast<decltype(&eagle_backend_##name)>(address_of("eagle_backend_" #name));
#include <eagle/seam/symbols.def>

long long count(const char* what);  // fake_cuda_count

template <class T>
T make() {
    T desc{};
    desc.struct_size = sizeof desc;
    return desc;
}

inline ::testing::AssertionResult says(eagle_backend_status found, eagle_backend_status wanted,
                                       const std::string& words) {
    const std::string text = last_error();
    if (found != wanted)
        return ::testing::AssertionFailure() << "status " << found << ", not " << wanted << ": " << text;
    if (text.find(words) == std::string::npos)
        return ::testing::AssertionFailure() << "'" << text << "' has no '" << words << "'";
    return ::testing::AssertionSuccess();
}
#define EXPECT_OK(call) EXPECT_EQ(call, EAGLE_BACKEND_OK) << client::last_error()
#define ASSERT_OK(call) ASSERT_EQ(call, EAGLE_BACKEND_OK) << client::last_error()

// In a child, so that one test's driver is not another's. Gives its status; 0 = nothing failed there.
template <class Body>
int in_child(Body&& body) {
    const pid_t child = fork();
    if (child == 0) {
        body();
        _exit(::testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

template <class Body>
void expect_in_child(Body&& body) {
    const int status = in_child(body);
    EXPECT_EQ(status, 0);
}

// The capabilities of the driver that the environment describes.
std::uint64_t groups_with(const char* variable, const char* value);

void use_a_device();  // makes a stream and waits for it

// Context that is current on this thread, and how often contexts are retained.
CUcontext current();
void make_current(CUcontext context);
CUcontext primary(int device);  // retained once by the caller

std::uint64_t load_kernels();  // the conformance kit's, as a module
std::uint64_t kernel(std::uint64_t module, const char* name);

}  // namespace client
