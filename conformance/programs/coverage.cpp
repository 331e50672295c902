// Of the build: every symbol of symbols.def has a row, and the rows are well named, or the build stops and says which.
#include <eagle/conformance/Row.h>

#include <iostream>

int main() {
    const auto trouble = eagle::conformance::trouble_of_rows(eagle::conformance::all_rows());
    for (const std::string& text : trouble) std::cerr << "conformance: " << text << '\n';
    return trouble.empty() ? 0 : 1;
}
