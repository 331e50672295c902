// artifact_fuzz SECONDS SEED FILE...: changed documents against the readers, for a time. Files are documents, or files
// of the corpus. An input that took a way no other took is kept and changed further. The first fault is written to
// fault.json in the working folder, and ends the run with code 1. A run of one seed on one machine can be repeated.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "Corpus.h"
#include "Mutator.h"
#include "Target.h"

namespace {

std::vector<std::string> seeds(int argc, char** argv) {
    std::vector<std::string> out;
    for (int i = 3; i < argc; ++i) {
        std::ifstream in(argv[i], std::ios::binary);
        if (!in) {
            std::fprintf(stderr, "cannot read %s\n", argv[i]);
            std::exit(2);
        }
        out.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    for (const char* file : {"manifests.json", "sidecars.json", "texts.json"})
        for (const corpus::Case& one : corpus::cases(file))
            if (one.data.size() < 4096) out.push_back(one.data);
    return out;
}

bool tried(const std::string& input, std::set<std::string>& ways, bool& fresh) {
    std::string fault;
    fresh = ways.insert(fuzz::read_both(input, fault)).second;
    if (fault.empty()) return true;
    std::ofstream("fault.json", std::ios::binary) << input;
    std::fprintf(stderr, "%s\nthe input of %zu bytes stands in fault.json\n", fault.c_str(), input.size());
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: artifact_fuzz SECONDS SEED FILE...\n");
        return 2;
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(std::atof(argv[1]));
    fuzz::Mutator mutator(std::strtoull(argv[2], nullptr, 10));
    std::vector<std::string> pool = seeds(argc, argv);
    std::set<std::string> ways;
    bool fresh = false;
    for (const std::string& seed : pool)
        if (!tried(seed, ways, fresh)) return 1;
    const std::size_t known = ways.size();
    std::size_t inputs = 0;
    for (; std::chrono::steady_clock::now() < end; ++inputs) {
        const std::string& base = pool[mutator.below(pool.size())];
        std::string input = mutator.changed(base, pool[mutator.below(pool.size())]);
        if (!tried(input, ways, fresh)) return 1;
        if (fresh && pool.size() < 20000) pool.push_back(std::move(input));
    }
    std::printf("%zu inputs, %zu ways through the readers, %zu of them by seeds\n", inputs, ways.size(), known);
    return 0;
}
