// A loaded kernel with what it takes and gives: immutable, shared by any number of threads.
#pragma once
#include <Python.h>
#include <eagle/marshal/Signature.h>

#include <atomic>
#include <string>
#include <vector>

#include "Library.h"
#include "Reference.h"

namespace hawk::native {

enum class Result : std::uint8_t { none, one, tuple, dict };

struct Output {
    std::size_t index;             // of the plane
    eagle::python::Reference key;  // of the dict
};

// An argument that is carried on several planes, which are given all or none.
struct Quantity {
    std::string name;
    std::vector<std::size_t> wires;
};

struct Description {
    std::string path, entry, kernel, result, abi, finish_mask;
    eagle::Dtype scalar = eagle::Dtype::float64;
    std::vector<eagle::Parameter> parameters;
    std::vector<std::string> order;
    std::vector<std::pair<std::string, eagle::python::Reference>> outputs;     // plane, key
    std::vector<std::pair<std::string, std::vector<std::string>>> quantities;  // argument, planes
    bool terminated_readonly = false;
    double ns_per_sample = 0;
};

class Program {
  public:
    // Throws eagle::InvalidArgument when file or description is wrong.
    explicit Program(Description description);

    const eagle::Signature& signature() const { return signature_; }
    Entry entry() const { return entry_; }
    // Takes all samples in one call, not a part of them.
    bool whole() const { return signature_.whole_entry != 0; }
    const std::string& path() const { return path_; }
    std::size_t count() const { return signature_.parameters.size(); }
    PyObject* name(std::size_t i) const { return names_[i].get(); }  // interned
    const std::vector<std::size_t>& order() const { return order_; }
    Result result() const { return result_; }
    const std::vector<Output>& outputs() const { return outputs_; }
    const std::vector<Quantity>& quantities() const { return quantities_; }
    int control() const { return control_; }  // index of __control, or -1
    // Does a keyword `layout` mean the axis of samples? Not when a parameter has that name.
    bool layout_is_option() const { return layout_is_option_; }

    // Nanoseconds a sample by the last call that was timed; 0 when none was.
    double ns_per_sample() const { return ns_per_sample_.load(std::memory_order_relaxed); }
    void measured(double ns_per_sample) const {
        ns_per_sample_.store(static_cast<float>(ns_per_sample), std::memory_order_relaxed);
    }

  private:
    std::size_t place(const std::string& name, const char* what) const;
    Entry entry_of(const Description& description);

    std::string path_;
    Library library_;
    eagle::Signature signature_;
    Entry entry_;
    std::vector<eagle::python::Reference> names_;
    std::vector<std::size_t> order_;
    Result result_;
    std::vector<Output> outputs_;
    std::vector<Quantity> quantities_;
    int control_;
    bool layout_is_option_;
    mutable std::atomic<float> ns_per_sample_;
};

}  // namespace hawk::native
