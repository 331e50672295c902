// The device code of a kind whose driver has everything.
#include "filtering.cu"
#include "guards.cu"
