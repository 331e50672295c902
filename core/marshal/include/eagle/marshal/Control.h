// The plane __control, through which a launch and its caller talk: int64[8].
#pragma once
#include <eagle/export.h>
#include <eagle/marshal/Signature.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace eagle::marshal {

struct Control {
    static constexpr std::size_t stop = 0;       // non-zero asks every worker to leave at a whole step
    static constexpr std::size_t max_steps = 1;  // of each sample, in total
    static constexpr std::size_t steps = 2;      // out: steps made by all samples
    static constexpr std::size_t fault = 3;      // 0 none, -1 division by zero, -2 overflowing quotient, k: table k - 1
    static constexpr std::size_t index = 4;      // out: the index that was outside its table
    static constexpr std::size_t sample = 5;     // out: the lowest faulty sample
    static constexpr std::size_t size = 8;
};

// Throws what the kernel noted: DivisionFault or IndexError naming the kernel and the lowest faulty sample. Returns
// when there was no fault. `control` has Control::size elements.
EAGLE_API void raise_fault(const Signature& signature, const std::int64_t* control);

}  // namespace eagle::marshal
