#include "artifact/ReadFile.h"

#include <eagle/Error.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace eagle::artifact {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int code) {
    throw Error("cannot read '" + path.string() + "': " + std::generic_category().message(code));
}

struct Descriptor {
    int fd;
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
};

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t most) {
    // O_NONBLOCK: to open a pipe that nobody writes to would wait for ever.
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    struct stat info{};
    if (file.fd < 0 || ::fstat(file.fd, &info) != 0) fail(path, errno);
    if (S_ISDIR(info.st_mode)) fail(path, EISDIR);
    if (!S_ISREG(info.st_mode))
        throw Error("cannot read '" + path.string() + "': it is no regular file; put the file itself there");
    std::string text(std::min(static_cast<std::size_t>(info.st_size), most + 1), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t got = ::read(file.fd, text.data() + done, text.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(path, errno);
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    text.resize(done);
    if (text.size() > most)
        throw InvalidArgument("'" + path.string() + "' has " + std::to_string(info.st_size) + " bytes; at most " +
                              std::to_string(most) + " are read");
    return text;
}

// A link that leads nowhere is left to who opens it.
std::filesystem::path file_of_folder(const std::filesystem::path& folder, const std::string& name) {
    const std::filesystem::path file = folder / name;
    std::error_code missing;
    const std::filesystem::path real = std::filesystem::canonical(file, missing);
    if (missing) return file;
    const std::filesystem::path inside = std::filesystem::canonical(folder, missing);
    if (std::mismatch(inside.begin(), inside.end(), real.begin(), real.end()).first != inside.end())
        throw InvalidArgument("'" + file.string() + "' is a link to '" + real.string() +
                              "', outside the artifact folder; put the file itself there");
    return file;
}

}  // namespace eagle::artifact
