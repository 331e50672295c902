#include "artifact/ModuleMemo.h"

#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <tuple>

#include "artifact/LayoutCheck.h"
#include "artifact/ReadFile.h"

namespace eagle::artifact {
namespace {

namespace fs = std::filesystem;

Content content_of(const std::string& bytes) {
    std::uint64_t a = 0xcbf29ce484222325u, b = 0x9e3779b97f4a7c15u;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        a = (a ^ byte) * 0x100000001b3u;
        b = ((b << 27u | b >> 37u) + byte) * 0xff51afd7ed558ccdu;
    }
    return {a, b, bytes.size()};
}

struct Memo {
    using Key = std::tuple<std::string, std::int32_t, std::string, Content>;  // kind, device, tag, content
    std::mutex mutex;
    std::map<Key, std::weak_ptr<const Module>> modules;
    std::map<std::pair<std::string, std::string>, std::pair<Content, std::weak_ptr<const Module>>> by_path;
};

// Never destroyed: kernels may be released while the process ends.
Memo& memo() {
    static Memo* const instance = [] {
        auto* made = new Memo;
        pthread_atfork([] { memo().mutex.lock(); }, [] { memo().mutex.unlock(); }, [] { memo().mutex.unlock(); });
        return made;
    }();
    return *instance;
}

// A file that lies where another content is still loaded from is read through a copy: the system's loader knows a
// file by its path and would give the old one again.
Module load_copy(const Backend& backend, const fs::path& file, const std::string& bytes, std::int32_t device) {
    std::string folder = (fs::temp_directory_path() / "eagle-XXXXXX").string();
    if (!::mkdtemp(folder.data()))
        throw Error("cannot make a folder in '" + fs::temp_directory_path().string() +
                    "' for a copy of changed device code: " + std::generic_category().message(errno) +
                    "; set $TMPDIR to a folder that can be written");
    struct Remove {
        fs::path folder;
        ~Remove() {
            std::error_code ignored;
            fs::remove_all(folder, ignored);
        }
    } const remove{folder};
    const fs::path copy = remove.folder / file.filename();
    std::ofstream(copy, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return Module::load(backend, copy, device);
}

}  // namespace

std::shared_ptr<const Module> load_module(const Backend& backend, const fs::path& file, const std::string& tag,
                                          std::int32_t device, Content& content) {
    constexpr std::size_t most = std::size_t{1} << 30u;
    const std::string bytes = read_file(file, most);
    content = content_of(bytes);
    if (backend.takes_host_files()) device = 0;
    const fs::path path = fs::weakly_canonical(file);
    Memo& known = memo();
    const std::lock_guard lock(known.mutex);
    std::weak_ptr<const Module>& entry = known.modules[{backend.kind(), device, tag, content}];
    if (auto module = entry.lock()) return module;

    auto& [loaded, holder] = known.by_path[{backend.kind(), path.string()}];
    const bool replaced = loaded != content && !holder.expired();
    auto module = std::make_shared<const Module>(replaced ? load_copy(backend, path, bytes, device)
                                                          : Module::load(backend, path, device));
    check_layout(*module, tag, device);
    if (!replaced) {
        loaded = content;
        holder = module;
    }
    entry = module;
    return module;
}

}  // namespace eagle::artifact
