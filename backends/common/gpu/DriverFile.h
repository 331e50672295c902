// The file of a vendor's library, opened at run time.
#pragma once
#include <string>

namespace eagle::gpu {

struct DriverFile {
    void* handle = nullptr;  // of dlopen, for as long as the process lives
    std::string error;       // why there is none
};

// Opens a file by its path, or by a name that the system searches for. A path of what is no file (a folder, a pipe,
// whose writer would be waited for) is not opened.
DriverFile open_driver_file(const std::string& file);

// What an environment variable names; null where it is not set, or empty.
const char* named_by(const char* variable);

// The last words of a refusal of the library that `variable` names; "" where it names none.
std::string or_unset(const char* variable);

}  // namespace eagle::gpu
