#include <eagle/conformance/Program.h>

int main(int argc, char** argv) { return eagle::conformance::run_program(argc, argv); }
