// What a refused load says.
#pragma once
#include <eagle/Backend.h>
#include <eagle/Error.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <string>

namespace loader_test {

// The words of the BackendUnavailable that loading this file gives; "" and a failed test when it loads.
inline std::string refusal(const std::filesystem::path& file, const std::string& kind = "zoo") {
    try {
        (void)eagle::Backend::load(kind, file);
    } catch (const eagle::BackendUnavailable& error) {
        return error.what();
    }
    ADD_FAILURE() << file << " was loaded";
    return {};
}

inline void expect_words(const std::string& text, std::initializer_list<std::string> words) {
    for (const auto& word : words) {
        EXPECT_NE(text.find(word), std::string::npos) << "missing: " << word << "\nin: " << text;
    }
}

}  // namespace loader_test
