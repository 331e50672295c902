#include "Target.h"

#include <eagle/Artifact.h>
#include <eagle/Error.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace fuzz {
namespace {

// A plain decoder, written down apart from the one of the library.
bool is_utf8(std::string_view text) {
    std::uint32_t point = 0;
    int left = 0, length = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (left > 0) {
            if (byte >> 6u != 2) return false;
            point = point << 6u | (byte & 0x3Fu);
            if (--left > 0) continue;
            const std::uint32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
            if (point < least || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return false;
        } else if (byte >= 0x80) {
            length = byte >> 5u == 6 ? 2 : byte >> 4u == 14 ? 3 : byte >> 3u == 30 ? 4 : 0;
            if (length == 0) return false;
            left = length - 1;
            point = byte & (0xFFu >> static_cast<unsigned>(length + 1));
        }
    }
    return left == 0;
}

// The words of a refusal: its letters, without what stands in quotes or brackets and what a parser says it last read.
std::string shape(std::string_view said) {
    std::string out;
    char closing = 0;
    if (const auto target = said.find("entries."); target != std::string_view::npos)
        said.remove_prefix(std::min(said.size(), said.find(": ", target)));
    for (const char c : said.substr(0, said.find("last read"))) {
        if (closing != 0) {
            if (c == closing) closing = 0;
            continue;
        }
        closing = c == '"' || c == '\'' ? c : c == '[' ? ']' : c == '{' ? '}' : '\0';
        if (std::isalpha(static_cast<unsigned char>(c)) || c == ' ') out += c;
    }
    return out.substr(0, 120);
}

template <class Document>
std::string read(std::string_view bytes, std::string& fault) {
    try {
        Document::parse(bytes, "doc.json");
        return "taken";
    } catch (const eagle::InvalidArgument& refused) {
        const std::string_view said = refused.what();
        if (!said.starts_with("doc.json")) fault = "a refusal that does not name the document: " + std::string(said);
        if (said.size() > 4096) fault = "a refusal of " + std::to_string(said.size()) + " bytes";
        if (!is_utf8(said)) fault = "a refusal that is not UTF-8";
        return shape(said);
    } catch (const std::exception& other) {
        fault = std::string("another exception: ") + other.what();
    } catch (...) {
        fault = "something that is no exception was thrown";
    }
    return "";
}

}  // namespace

std::string read_both(std::string_view bytes, std::string& fault) {
    const std::string manifest = read<eagle::Manifest>(bytes, fault);
    return manifest + "\n" + read<eagle::Sidecar>(bytes, fault);
}

}  // namespace fuzz

// The same target for a fuzzer of clang's: -fsanitize=fuzzer.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string fault;
    fuzz::read_both({reinterpret_cast<const char*>(data), size}, fault);
    if (!fault.empty()) {
        std::fprintf(stderr, "%s\n", fault.c_str());
        std::abort();
    }
    return 0;
}
