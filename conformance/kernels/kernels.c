/* The test kernels for kinds whose device code is a shared object of the host. */
#include "eagle_conformance_kernels.h"
