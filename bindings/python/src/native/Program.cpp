#include "Program.h"

#include <eagle/Error.h>
#include <eagle/marshal/WholeEntry.h>

namespace hawk::native {

using eagle::InvalidArgument;
using eagle::python::Reference;

namespace {

Result result_of(const std::string& text, const std::string& kernel) {
    if (text == "none") return Result::none;
    if (text == "one") return Result::one;
    if (text == "tuple") return Result::tuple;
    if (text == "dict") return Result::dict;
    throw InvalidArgument("result of kernel '" + kernel + "' is '" + text + "'; it must be none, one, tuple or dict");
}

eagle::Signature signature_of(Description& d) {
    eagle::Signature signature;
    signature.kernel = d.kernel;
    signature.scalar = d.scalar;
    signature.parameters = std::move(d.parameters);
    signature.terminated_readonly = d.terminated_readonly;
    signature.finish_mask = d.finish_mask;
    return signature;
}

}  // namespace

// A v1 entry is called through the one that marshal has for it, with all samples.
Entry Program::entry_of(const Description& d) {
    const std::uint64_t found = library_.entry(d.entry);
    if (d.abi != "aether-abi/1") return reinterpret_cast<Entry>(found);
    signature_.whole_entry = found;
    return &eagle::marshal::call_whole_entry;
}

Program::Program(Description d)
    : path_(d.path),
      library_(d.path, d.abi),
      signature_(signature_of(d)),
      entry_(entry_of(d)),
      result_(result_of(d.result, d.kernel)),
      control_(signature_.find("__control")),
      layout_is_option_(signature_.find("layout") < 0),
      ns_per_sample_(static_cast<float>(d.ns_per_sample)) {
    for (const eagle::Parameter& p : signature_.parameters)
        names_.push_back(Reference::own(PyUnicode_InternFromString(p.name.c_str())));
    for (const std::string& name : d.order) order_.push_back(place(name, "order"));
    for (auto& [plane, key] : d.outputs) {
        std::size_t i = place(plane, "outputs");
        if (signature_.parameters[i].role != eagle::Role::out)
            throw InvalidArgument("outputs of kernel '" + d.kernel + "' names '" + plane + "', whose role is " +
                                  std::string(role_name(signature_.parameters[i].role)) + "; it must be out");
        outputs_.push_back({i, std::move(key)});
    }
    for (const auto& [name, planes] : d.quantities) {
        Quantity& quantity = quantities_.emplace_back(Quantity{name, {}});
        for (const std::string& plane : planes) quantity.wires.push_back(place(plane, "quantities"));
    }
    bool fits = result_ == Result::none ? outputs_.empty() : result_ == Result::one ? outputs_.size() == 1 : true;
    if (!fits)
        throw InvalidArgument("kernel '" + d.kernel + "' has " + std::to_string(outputs_.size()) +
                              " outputs, which do not make the result '" + d.result + "'");
}

std::size_t Program::place(const std::string& name, const char* what) const {
    int i = signature_.find(name);
    if (i >= 0) return static_cast<std::size_t>(i);
    throw InvalidArgument(std::string(what) + " of kernel '" + signature_.kernel + "' names '" + name +
                          "', which is no parameter of it");
}

}  // namespace hawk::native
