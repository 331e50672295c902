// A backend that does not come back: the environment says how eagle_backend_stream_create, or the loading, ends. Or one
// whose fences order nothing.
#include <dlfcn.h>
#include <eagle/seam/eagle_backend.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

namespace {

void end(const char* variable) {
    const char* set = std::getenv(variable);
    const std::string way = set ? set : "";
    if (way == "exit") std::exit(0);
    if (way == "_exit") _exit(0);
    if (way == "abort") std::abort();
    if (way == "hang") {
        for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
    }
    if (way == "trap") std::atexit([] { _exit(7); });
    if (way == "write") {
        constexpr std::string_view text = "a debug line\n";
        for (int descriptor = 3; descriptor < 16; ++descriptor) (void)!::write(descriptor, text.data(), text.size());
    }
}

[[gnu::constructor]] void load() { end("ENDING_LOAD"); }

}  // namespace

extern "C" [[gnu::visibility("default")]] eagle_backend_status eagle_backend_stream_create(
    const eagle_backend_stream_desc* desc, eagle_backend_stream* stream) {
    end("ENDING_STREAM_CREATE");
    using Create = eagle_backend_status (*)(const eagle_backend_stream_desc*, eagle_backend_stream*);
    const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "eagle_backend_stream_create"));
    return create(desc, stream);
}

extern "C" [[gnu::visibility("default")]] eagle_backend_status eagle_backend_fence(std::int32_t type,
                                                                                   std::int32_t device,
                                                                                   std::int64_t producer,
                                                                                   std::int64_t consumer) {
    if (std::getenv("ENDING_FENCES")) return EAGLE_BACKEND_OK;
    using Fence = eagle_backend_status (*)(std::int32_t, std::int32_t, std::int64_t, std::int64_t);
    const auto fence = reinterpret_cast<Fence>(dlsym(RTLD_NEXT, "eagle_backend_fence"));
    return fence(type, device, producer, consumer);
}
