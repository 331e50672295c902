// Does what its arguments say, in a process of its own, and prints how each went:
//   load KIND | open KIND FILE | reload KIND | installed | gpu | register KIND FILE | resolve KIND FILE (KIND `throws`:
//   fails with that text) | chdir DIR | copy FROM TO | record | report
#include <eagle/Backend.h>
#include <eagle/Error.h>

#include <deque>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <string>

namespace fs = std::filesystem;

namespace {

using Words = std::deque<std::string>;

std::string take(Words& words) {
    if (words.empty()) throw std::runtime_error("scenario: an argument is missing");
    std::string word = words.front();
    words.pop_front();
    return word;
}

void show(const eagle::Backend& backend) {
    std::cout << "loaded " << backend.kind() << " from " << backend.path().string() << "\n";
}

void open_file(Words& words) {
    const std::string kind = take(words);
    show(eagle::Backend::load(kind, take(words)));
}

void add_path(Words& words) {
    const std::string kind = take(words);
    eagle::register_backend_path(kind, take(words));
}

void set_resolver(Words& words) {
    const std::string wanted = take(words);
    const std::string file = take(words);
    eagle::set_backend_resolver([=](const std::string& kind) -> std::optional<std::string> {
        std::cout << "resolver asked for " << kind << "\n";
        if (wanted == "throws") throw std::runtime_error(file);
        return kind == wanted ? std::optional(file) : std::nullopt;
    });
}

void copy_file(Words& words) {
    const fs::path from = take(words);
    fs::copy_file(from, take(words), fs::copy_options::overwrite_existing);
}

void list_installed() {
    const auto kinds = eagle::installed_kinds();
    std::cout << "installed:";
    for (const auto& kind : kinds) std::cout << " " << kind;
    std::cout << "\n";
}

void list_attempts() {
    for (const auto& a : eagle::backend_report()) {
        std::cout << "attempt|" << a.kind << "|" << a.path << "|" << a.source << "|" << a.outcome << "\n";
    }
}

const std::map<std::string, std::function<void(Words&)>> commands{
    {"load", [](Words& words) { show(eagle::Backend::load(take(words))); }},
    {"open", open_file},
    {"reload", [](Words& words) { show(eagle::Backend::reload(take(words))); }},
    {"installed", [](Words&) { list_installed(); }},
    {"gpu", [](Words&) { std::cout << "gpu is " << eagle::gpu_kind() << "\n"; }},
    {"register", add_path},
    {"resolve", set_resolver},
    {"chdir", [](Words& words) { fs::current_path(take(words)); }},
    {"copy", copy_file},
    {"record", [](Words&) { list_attempts(); }},
    {"report", [](Words&) { std::cout << eagle::backend_report_text(); }},
};

}  // namespace

int main(int argc, char** argv) {
    Words words(argv + 1, argv + argc);
    while (!words.empty()) {
        try {
            commands.at(take(words))(words);
        } catch (const eagle::BackendUnavailable& error) {
            std::cout << "BackendUnavailable: " << error.what() << "\n";
        } catch (const eagle::InvalidArgument& error) {
            std::cout << "InvalidArgument: " << error.what() << "\n";
        }
    }
    return 0;
}
