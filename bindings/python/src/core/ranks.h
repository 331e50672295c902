// Ranks as Python holds them.
#pragma once
#include <eagle/Ranks.h>
#include <nanobind/nanobind.h>

namespace eagle::python {

struct HeldRanks {
    RankPartition ranks;
    nanobind::object structure;  // what each rank runs its part on; None is all threads of the process
};

}  // namespace eagle::python
