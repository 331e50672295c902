#include "artifact/Json.h"

#include <eagle/Error.h>

#include <limits>
#include <utility>
#include <vector>

#include "artifact/Utf8.h"

namespace eagle::artifact {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
    throw InvalidArgument(name + ": " + what);
}

std::string place(std::string_view text, std::size_t offset) {
    offset = std::min(offset, text.size());
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i < offset; ++i) {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n';
    }
    return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

// The front of a text that may end, or be cut, inside a character.
std::string whole_characters(std::string_view text, std::size_t most) {
    std::string out(text.substr(0, most));
    if (const auto bad = invalid_utf8(out)) out.resize(*bad);
    return out.size() < text.size() ? out + "..." : out;
}

// Builds the document event by event, so that depth and duplicates are refused before anything grows.
class Builder : public nlohmann::json_sax<json> {
  public:
    Builder(std::string_view text, const std::string& name) : text_(text), name_(name) {}
    json take() { return std::move(root_); }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override {
        if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
            refuse_integer(std::to_string(value));
        return add(static_cast<std::int64_t>(value));
    }
    bool number_float(number_float_t value, const string_t& written) override {
        if (written.find_first_of(".eE") == string_t::npos) refuse_integer(written);
        return add(value);
    }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& value) override {
        if (open_.back()->contains(value))
            refuse(name_, "the key '" + shortened(value) + "' stands twice in one object");
        key_ = std::move(value);
        return true;
    }
    bool parse_error(std::size_t offset, const std::string& token, const json::exception& error) override {
        if (error.id == 406 && token.find_first_of(".eE") == std::string::npos) refuse_integer(token);
        refuse(name_, "not JSON at " + place(text_, offset) + ": " + reason(offset, token, error));
    }

  private:
    [[noreturn]] void refuse_integer(const std::string& written) {
        refuse(name_, "the integer " + written.substr(0, 60) + " does not fit in int64");
    }
    json* put(json&& value) {
        if (open_.empty()) return &(root_ = std::move(value));
        json& parent = *open_.back();
        if (parent.is_object()) return &(parent[key_] = std::move(value));
        parent.push_back(std::move(value));
        return &parent.back();
    }
    bool add(json&& value) {
        put(std::move(value));
        return true;
    }
    bool open(json&& value) {
        if (open_.size() == max_json_depth)
            refuse(name_, "nested deeper than " + std::to_string(max_json_depth) + " levels");
        open_.push_back(put(std::move(value)));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }
    std::string reason(std::size_t offset, const std::string& token, const json::exception& error) const {
        // `offset` counts the bytes read: the lexer stops after the first letter of a word that it does not know, a
        // minus before it included.
        auto stands = [&](std::string_view word, std::size_t back) {
            return offset >= back && offset <= text_.size() && text_.substr(offset - back).starts_with(word);
        };
        for (const auto& [word, back] : {std::pair("NaN", 1), std::pair("-Infinity", 2), std::pair("Infinity", 1)})
            if (stands(word, static_cast<std::size_t>(back)))
                return std::string(word) + " is no JSON number; leave the value out or write a finite one";
        const std::string_view said = error.what();
        if (error.id == 406) return "the number " + token.substr(0, 60) + " overflows a double";
        if (said.find("surrogate") != std::string_view::npos)
            return "a lone surrogate in a string; a character outside the basic plane needs both halves";
        const auto from = said.find("syntax error");
        return whole_characters(from == std::string_view::npos ? said : said.substr(from), 200);
    }

    std::string_view text_;
    const std::string& name_;
    json root_;
    std::vector<json*> open_;
    std::string key_;
};

}  // namespace

json parse_json(std::string_view text, const std::string& name) {
    if (text.size() > max_json_bytes)
        refuse(name, std::to_string(text.size()) + " bytes; at most 64 MiB (" + std::to_string(max_json_bytes) +
                         " bytes) are read");
    if (text.starts_with("\xEF\xBB\xBF")) refuse(name, "begins with a byte order mark; write UTF-8 without one");
    if (const auto bad = invalid_utf8(text))
        refuse(name, "not UTF-8 at byte " + std::to_string(*bad) + " (" + place(text, *bad) + ")");
    // The lexer would take it for the end of the text.
    if (const auto zero = text.find('\0'); zero != std::string_view::npos)
        refuse(name, "not JSON at " + place(text, zero) + ": a zero byte");
    Builder builder(text, name);
    json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
}

std::string show(const json& value) {
    const std::string text = shortened(value.dump(-1, ' ', false, json::error_handler_t::replace));
    switch (value.type()) {
        case json::value_t::null:
            return "null";
        case json::value_t::boolean:
            return text + " (a bool)";
        case json::value_t::number_integer:
        case json::value_t::number_unsigned:
            return text + " (an int)";
        case json::value_t::number_float:
            return text + " (a float)";
        case json::value_t::string:
            return text + " (a string)";
        case json::value_t::array:
            return text + " (a list)";
        default:
            return text + " (an object)";
    }
}

}  // namespace eagle::artifact
