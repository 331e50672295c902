// The test kernels as device code; the same file does for HIP.
#include "eagle_conformance_kernels.h"
