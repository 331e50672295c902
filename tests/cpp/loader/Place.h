// Folders and files that the loader's tests make and use.
#pragma once
#include <filesystem>
#include <string>

namespace loader_test {

// The library of an animal of the zoo.
std::filesystem::path animal(const std::string& name, const std::string& kind = "zoo");

// A folder that goes with the object.
class Place {
  public:
    Place();
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    // Writes a file of this folder and returns its path.
    std::filesystem::path write(const std::string& name, const std::string& bytes) const;
    // Copies a file into this folder, under `name`, making folders as needed.
    std::filesystem::path copy(const std::filesystem::path& file, const std::string& name) const;

  private:
    std::filesystem::path path_;
};

std::string bytes_of(const std::filesystem::path& file);

}  // namespace loader_test
