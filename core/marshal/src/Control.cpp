#include <eagle/Error.h>
#include <eagle/marshal/Fault.h>

#include <string>

namespace eagle::marshal {

void raise_fault(const Signature& signature, const std::int64_t* control) { raise_fault(signature, control, {}); }

void raise_fault(const Signature& signature, const std::int64_t* control, const std::string& whose) {
    std::int64_t code = control[Control::fault];
    if (code == 0) return;
    std::string where = " in kernel '" + signature.kernel + "', sample " + std::to_string(control[Control::sample]) +
                        " (the lowest" + (whose.empty() ? "" : ", " + whose) +
                        "); the other samples are done, this one is as it was before the step";
    if (code == -1)
        throw DivisionFault("integer division or modulo by zero" + where + ": give a divisor that is not 0, or mask it",
                            false);
    if (code == -2)
        throw DivisionFault("the quotient of the smallest integer and -1 overflows" + where + ": keep away from it",
                            true);
    if (code > 0)
        throw IndexError("index " + std::to_string(control[Control::index]) + " is outside table " +
                         std::to_string(code - 1) + where + ": keep the index inside, or ask for bounds=\"clamp\"");
    throw Error("kernel '" + signature.kernel + "' reported fault code " + std::to_string(code) +
                ", which no fault has; codes are -1, -2 and table numbers from 1: build the artifact again");
}

}  // namespace eagle::marshal
