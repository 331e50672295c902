// Runs the artifact written by hand through the installed library, and finds the installed backend by it.
#include <eagle/eagle.h>

#include <cstdio>
#include <exception>
#include <span>
#include <vector>

int main(int argc, char** argv) try {
    if (argc != 3) return 2;
    std::vector<double> x = {1.0, 2.5, -4.0};
    const eagle::Plan plan(eagle::Artifact::load(argv[1]).kernel());
    const auto result = plan.run({{"x", eagle::ArrayView::of(std::span(x))}, {"a", 2.0}, {"b", 1.0}});
    const auto out = result.outputs.at(0).second.as<double>();
    if (out[0] != 3.0 || out[1] != 6.0 || out[2] != -7.0) return 3;
    const std::string backend = plan.kernel().backend().path().string();
    if (backend.find(argv[2]) != 0) {
        std::fprintf(stderr, "the backend came from %s, not from %s\n", backend.c_str(), argv[2]);
        return 4;
    }
    std::printf("eagle %s, backend %s\n", std::string(eagle::version()).c_str(), backend.c_str());
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
