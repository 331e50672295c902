#include "Running.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace running {
namespace {

std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string place(const std::string& name) { return WORK "/" + name + "." + std::to_string(getpid()); }

Ended run(const std::string& program, const std::string& arguments) {
    const std::string out = place("out"), err = place("err");
    const int status = std::system(("'" + program + "' " + arguments + " >'" + out + "' 2>'" + err + "'").c_str());
    Ended ended{WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(out), content(err)};
    unlink(out.c_str());
    unlink(err.c_str());
    return ended;
}

std::string written(const std::string& name, const std::string& text) {
    const std::string path = place(name);
    std::ofstream(path) << text;
    return path;
}

nlohmann::json read_json(const std::string& path) {
    std::ifstream file(path);
    return nlohmann::json::parse(file);
}

}  // namespace running
