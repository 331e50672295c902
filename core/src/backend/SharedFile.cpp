#include "backend/SharedFile.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "backend/ElfFile.h"
#include "backend/Policy.h"
#include "backend/Refused.h"

namespace eagle::detail {
namespace {

std::string system_text() {
    const char* text = dlerror();
    return text == nullptr ? "" : text;
}

// One file, whatever its name is: what stat says of it.
struct Identity {
    dev_t device;
    ino_t inode;
    off_t bytes;
    std::int64_t seconds, nanoseconds;  // of its last change

    static Identity of(const std::filesystem::path& file) {
        struct stat s{};
        if (stat(file.c_str(), &s) != 0) {
            throw Refused{"cannot be read; needs a shared library file that this process may read"};
        }
        return {s.st_dev, s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec};
    }
    bool same_place(const Identity& other) const { return device == other.device && inode == other.inode; }
    bool operator==(const Identity&) const = default;
};

// What this process has open under one path, in order. The dynamic loader knows a library by the text of its path and
// gives the old one for a new file in its place; "/a/././b.so" is another text with the same folder.
class Opened {
  public:
    void* open(const std::filesystem::path& file) {
        const std::lock_guard lock(mutex_);
        const Identity identity = Identity::of(file);
        auto& files = by_path_[file];
        if (files.empty() && is_open_already(file)) files.push_back({});  // by somebody else, maybe another file
        for (const auto& open : files) refuse_written_over(open, identity);
        const auto found = std::find(files.begin(), files.end(), identity);
        void* const handle = dlopen(spelled(file, found - files.begin()).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle != nullptr && found == files.end()) files.push_back(identity);
        return handle;
    }

  private:
    static bool is_open_already(const std::filesystem::path& file) {
        void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD);
        if (handle != nullptr) dlclose(handle);
        return handle != nullptr;
    }
    static void refuse_written_over(const Identity& open, const Identity& found) {
        if (!open.same_place(found) || open == found) return;
        throw Refused{
            "was written over while this process has it open, so its code may be broken; needs a new file put in its "
            "place by a rename, or a new process"};
    }
    static std::string spelled(const std::filesystem::path& file, std::ptrdiff_t dots) {
        std::string text = file.parent_path().string() + '/';
        for (; dots > 0; --dots) text += "./";
        return text + file.filename().string();
    }

    std::mutex mutex_;
    std::map<std::filesystem::path, std::vector<Identity>> by_path_;
};

Opened& opened() {
    static auto* files = new Opened;  // until the process ends: the libraries are open as long
    return *files;
}

}  // namespace

SharedFile::SharedFile(const std::filesystem::path& file) : handle_(nullptr) {
    const std::string fault = fault_of_shared_library(file);
    if (!fault.empty()) throw Refused{fault};
    handle_ = opened().open(file);
    if (handle_ == nullptr) {
        throw Refused{"the system cannot open it; needs a shared library of this machine whose own needs are met", 0,
                      system_text()};
    }
}

void* SharedFile::symbol(const char* name) const {
    void* const address = dlsym(handle_, name);
    if (address == nullptr) return nullptr;
    link_map* own = nullptr;
    void* holder = nullptr;
    Dl_info info{};
    const bool known = dlinfo(handle_, RTLD_DI_LINKMAP, static_cast<void*>(&own)) == 0 &&
                       dladdr1(address, &info, &holder, RTLD_DL_LINKMAP) != 0;
    if (known && holder == own) return address;
    const std::string where = known && info.dli_fname != nullptr ? info.dli_fname : "no file at all";
    throw Refused{
        std::string(name) + " lies in " + where + "; needs every symbol of a backend in the backend's own file",
        policy::own_symbols};
}

}  // namespace eagle::detail
