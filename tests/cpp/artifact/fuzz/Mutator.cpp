#include "Mutator.h"

namespace fuzz {
namespace {

constexpr std::size_t longest = 16u << 10u;

// Keys and values of the format, and what a JSON reader may trip over.
constexpr const char* words[] = {"\"schema_version\"",
                                 "\"version\"",
                                 "\"pattern\"",
                                 "\"aether_abi\"",
                                 "\"exec_targets\"",
                                 "\"exec_access\"",
                                 "\"exec_op\"",
                                 "\"blocks\"",
                                 "\"plugins\"",
                                 "\"id\"",
                                 "\"order\"",
                                 "\"enabled\"",
                                 "\"artifact\"",
                                 "\"sidecar\"",
                                 "\"format\"",
                                 "\"kernel\"",
                                 "\"scalar_type\"",
                                 "\"params\"",
                                 "\"params_schema\"",
                                 "\"mat_shapes\"",
                                 "\"mutables\"",
                                 "\"arg_widths\"",
                                 "\"arg_dtypes\"",
                                 "\"arg_spec\"",
                                 "\"finish\"",
                                 "\"derivative\"",
                                 "\"entries\"",
                                 "\"host_cpu\"",
                                 "\"forward_exec\"",
                                 "\"kind\"",
                                 "\"name\"",
                                 "\"dtype\"",
                                 "\"width\"",
                                 "\"shape\"",
                                 "\"prior\"",
                                 "\"mask\"",
                                 "\"step\"",
                                 "\"run\"",
                                 "\"vector\"",
                                 "\"neural_block\"",
                                 "\"mapreduce\"",
                                 "\"sum\"",
                                 "\"aether-abi/1\"",
                                 "\"aether-abi/2\"",
                                 "\"host\"",
                                 "\"device\"",
                                 "\"matrix\"",
                                 "\"out\"",
                                 "\"mutable\"",
                                 "\"mat_in\"",
                                 "\"vec_in\"",
                                 "null",
                                 "true",
                                 "false",
                                 "0",
                                 "1",
                                 "2",
                                 "3",
                                 "-1",
                                 "4294967295",
                                 "4294967296",
                                 "65536",
                                 "9223372036854775807",
                                 "9223372036854775808",
                                 "1e308",
                                 "1e309",
                                 "-0",
                                 "0.5",
                                 "NaN",
                                 "Infinity",
                                 "\"\"",
                                 "[]",
                                 "{}",
                                 "[[]]",
                                 "{\"\": {}}",
                                 "[1, 2]",
                                 "\"\\ud800\"",
                                 "\"\\u0000\"",
                                 "\"../x\"",
                                 "\xC3\xA9",
                                 "\xF0\x9F\xA6\x85",
                                 "\xFF",
                                 "\xEF\xBB\xBF",
                                 ",",
                                 ":",
                                 "[",
                                 "]",
                                 "{",
                                 "}",
                                 "\"",
                                 "\\",
                                 " ",
                                 "\n"};

}  // namespace

std::size_t Mutator::below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

const char* Mutator::word() { return words[below(sizeof words / sizeof *words)]; }

// A value is what stands between a colon and the next comma or bracket: cheap, and right often enough.
void Mutator::replace_value(std::string& text) {
    const std::size_t colon = text.find(": ", below(text.size()));
    if (colon == std::string::npos) return;
    const std::size_t begin = colon + 2, end = text.find_first_of(",}]", begin);
    if (end != std::string::npos) text.replace(begin, end - begin, word());
}

void Mutator::change(std::string& text, const std::string& other) {
    const std::size_t at = below(text.size() + 1), span = below(std::min<std::size_t>(text.size() - at, 64) + 1);
    switch (below(9)) {
        case 0:
            if (at < text.size()) text[at] = static_cast<char>(below(256));
            break;
        case 1:
            text.insert(at, word());
            break;
        case 2:
            text.erase(at, span);
            break;
        case 3:
            text.insert(at, text.substr(at, span));
            break;
        case 4:
            text.replace(at, span, word());
            break;
        case 5:
            text.resize(at);
            break;
        case 6:
            text.insert(at, other.substr(below(other.size()), below(200)));
            break;
        default:
            replace_value(text);
    }
}

std::string Mutator::changed(std::string text, const std::string& other) {
    for (std::size_t left = 1 + below(8); left > 0; --left) change(text, other);
    if (text.size() > longest) text.resize(longest);
    return text;
}

}  // namespace fuzz
