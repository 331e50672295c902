// A launch of a test kernel. The kernels and their arguments are listed in kernels/eagle_conformance_kernels.h.
//
//   Launch(c, "conformance_add").with(std::int64_t{3}).with(x.pointer()).over(x.size()).on(stream).run();
#pragma once
#include <array>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "Handles.h"

namespace eagle::conformance {

class Launch {
  public:
    Launch(Context& c, const std::string& entry);
    // The next argument, copied; sizes are passed, so that the launch reads nothing of this object afterwards.
    template <class T>
    Launch& with(T value) {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(Argument));
        std::memcpy(&add(sizeof(T)), &value, sizeof(T));
        return *this;
    }
    // Samples [base, base + count); n_samples is base + count unless it is given.
    Launch& over(std::int64_t count, std::int64_t base = 0, std::int64_t n_samples = -1);
    Launch& on(std::uint64_t stream);
    Launch& block(std::uint32_t threads);
    // By run_device. The row ends where it fails.
    void run();
    // The same as a description, valid while this object lives and is not changed.
    const struct eagle_backend_launch_desc& desc();
    // Addresses and sizes of the arguments, as launcher_set_kernel_params takes them.
    const std::vector<std::uint64_t>& addresses();

  private:
    using Argument = std::array<std::uint64_t, 2>;
    Argument& add(std::size_t size);
    Context& c_;
    struct eagle_backend_launch_desc desc_;
    std::vector<Argument> arguments_;
    std::vector<std::uint64_t> addresses_, sizes_;
};

}  // namespace eagle::conformance
