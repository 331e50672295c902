// The outputs of a call: NumPy arrays made for it, or what the caller gave, in the form that the kernel declares.
#pragma once
#include <eagle/marshal/Pack.h>

#include <array>
#include <memory>

#include "Program.h"

namespace hawk::native {

// Makes the memory of `out` planes as NumPy arrays; a scalar of one sample needs no array, it becomes a NumPy scalar.
class Outputs final : public eagle::marshal::OutAllocator {
  public:
    explicit Outputs(const Program& program) : program_(program) {}

    std::shared_ptr<void> allocate(std::size_t index, const eagle::Parameter& parameter,
                                   std::span<const std::int64_t> shape, std::size_t bytes) override;

    // The call's result, a new reference. `given[i]` is what the caller gave for parameter i, or null. With `torch`,
    // what was allocated is handed out as torch tensors.
    PyObject* result(PyObject* const* given, bool torch);

  private:
    struct Made {
        std::size_t index = 0;
        eagle::Dtype dtype = eagle::Dtype::float64;
        eagle::python::Reference array;  // or null for a scalar
        alignas(8) std::byte scalar[8] = {};
    };
    Made& made(std::size_t position);
    PyObject* one(const Output& output, PyObject* const* given, bool torch);

    const Program& program_;
    static constexpr std::size_t few = 4;
    std::array<Made, few> in_place_;
    std::vector<std::unique_ptr<Made>> more_;
    std::size_t count_ = 0;
};

}  // namespace hawk::native
