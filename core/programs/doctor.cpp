// eagle-doctor: which backends are here, with their devices and versions, and why the others are not.
#include <eagle/Backend.h>

#include <cstring>
#include <exception>
#include <iostream>

namespace {

constexpr const char* usage =
    "usage: eagle-doctor [--version | --help]\n"
    "Prints the kinds of backend found, their devices and versions, and every load attempt with its reason.\n";

int run(int argc, char** argv) {
    if (argc <= 1) {
        std::cout << eagle::backend_report_text();
        return 0;
    }
    if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
        std::cout << "eagle " << eagle::version() << "\n";
        return 0;
    }
    if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
        std::cout << usage;
        return 0;
    }
    std::cerr << "eagle-doctor: does not know '" << argv[argc - 1] << "'\n" << usage;
    return 2;
}

}  // namespace

int main(int argc, char** argv) try {
    const int code = run(argc, argv);
    if (std::cout.flush()) return code;
    std::cerr
        << "eagle-doctor: standard output takes no more, so that the report is not whole: give it a file with room\n";
    return 1;
} catch (const std::exception& error) {
    std::cerr << "eagle-doctor: " << error.what() << "\n";
    return 1;
}
