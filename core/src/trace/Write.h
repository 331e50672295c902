#pragma once
#include <filesystem>

#include "trace/Session.h"

namespace eagle::trace {

// The file of a recording, open for writing from before it began, so that nothing is recorded in vain.
class File {
  public:
    // Throws Error naming the path.
    explicit File(const std::filesystem::path& path);
    ~File();
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    // Replaces what it holds.
    void write(const Recording& recording);

  private:
    std::filesystem::path path_;
    int descriptor_;
};

}  // namespace eagle::trace
