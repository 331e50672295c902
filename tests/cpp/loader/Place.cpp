#include "Place.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace fs = std::filesystem;

namespace loader_test {

fs::path animal(const std::string& name, const std::string& kind) {
    return fs::path(ZOO_DIR) / name / ("libeagle_" + kind + ".so");
}

Place::Place() {
    std::string name = (fs::temp_directory_path() / "eagle_loader_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder " + name);
    path_ = fs::canonical(name);
}

Place::~Place() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

fs::path Place::write(const std::string& name, const std::string& bytes) const {
    const fs::path file = path_ / name;
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
}

fs::path Place::copy(const fs::path& file, const std::string& name) const {
    const fs::path to = path_ / name;
    fs::create_directories(to.parent_path());
    fs::copy_file(file, to);
    return to;
}

std::string bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace loader_test
