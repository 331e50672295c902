// The same figures, read by a C++ compiler.
#include "layout.c"
