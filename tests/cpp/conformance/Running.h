// A program run to its end.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace running {

struct Ended {
    int code = -1;
    std::string out, err;
};

// In the shell's language; paths are quoted by the caller.
Ended run(const std::string& program, const std::string& arguments);

std::string written(const std::string& name, const std::string& text);  // a file of that text; its path
nlohmann::json read_json(const std::string& path);
std::string place(const std::string& name);

}  // namespace running
