#include "Corpus.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace corpus {
namespace {

using nlohmann::json;

std::string from_hex(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        out += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
    return out;
}

std::string data_of(const json& one) {
    if (one.contains("text")) return one["text"];
    if (one.contains("hex")) return from_hex(one["hex"]);
    std::string out;
    for (const json& piece : one.at("pieces")) {
        const std::string text = piece[0];
        for (std::size_t k = 0; k < piece[1].get<std::size_t>(); ++k) out += text;
    }
    return out;
}

}  // namespace

std::string text(const std::string& file) {
    std::ifstream in(std::string(EAGLE_CORPUS_DIR) + "/" + file);
    if (!in) throw std::runtime_error("cannot read " + file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<Case> cases(const std::string& file) {
    std::vector<Case> out;
    for (const json& one : json::parse(text(file)))
        out.push_back({one["name"], data_of(one), one["accepted"], one["words"].get<std::vector<std::string>>()});
    return out;
}

}  // namespace corpus
