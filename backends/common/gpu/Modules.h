// Device code that the caller loads.
#pragma once
#include <set>
#include <string>

#include "Objects.h"
#include "Record.h"

namespace eagle::gpu {

class Module {
  public:
    static constexpr std::uint8_t tag = 'M';
    static constexpr char name[] = "module";

    // `image` begins with what the driver tells its size from. Throw Failure.
    Module(int device, const void* image);
    ~Module();
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    RawFunction function(const char* symbol);
    Driver::Global global(const char* symbol) const;
    bool is_held() const;  // a graph that is alive launches one of its functions

  private:
    int device_;
    RawModule raw_;
    std::set<RawFunction> functions_;
};

// A file's bytes, with a zero byte behind them. Throws Failure (INVALID_ARGUMENT).
std::string read_image(const char* path);

}  // namespace eagle::gpu
