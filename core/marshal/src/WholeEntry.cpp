#include <eagle/marshal/WholeEntry.h>

#include <cstring>

namespace eagle::marshal {

void call_whole_entry(void* const* params, std::int64_t, std::int64_t, std::int64_t n_samples) {
    std::uint64_t address = 0;
    std::memcpy(&address, params[0], sizeof address);
    reinterpret_cast<WholeEntry>(address)(params + 1, static_cast<std::int32_t>(n_samples));
}

}  // namespace eagle::marshal
