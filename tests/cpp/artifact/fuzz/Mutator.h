// Changes documents at random, from a seed: the same seed makes the same inputs.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace fuzz {

class Mutator {
  public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    // One to eight changes: bytes, spans, words of the format, values, and pieces of `other`. At most 16 KiB.
    std::string changed(std::string text, const std::string& other);
    std::size_t below(std::size_t limit);  // 0 where limit is 0

  private:
    void change(std::string& text, const std::string& other);
    void replace_value(std::string& text);
    const char* word();

    std::mt19937_64 random_;
};

}  // namespace fuzz
