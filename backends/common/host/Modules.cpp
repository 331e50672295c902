#include "Modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "Check.h"
#include "Cost.h"
#include "ElfFile.h"
#include "ProcessWide.h"
#include "RecordedGraph.h"

namespace eagle::host {
namespace {

std::string system_text(int number) { return std::strerror(number); }

std::string loader_text() {
    const char* text = dlerror();
    return text ? text : "the dynamic loader gives no reason";
}

void* open_library(const std::string& file) { return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL); }

// "/a/b.so" as "/a/./././b.so": the dynamic loader knows libraries by the text of their path, and this is another text
// for the same file, with the same folder for what the library looks up beside itself.
std::string spelled(const std::string& path, std::size_t dots) {
    auto slash = path.rfind('/');
    std::string text = path.substr(0, slash + 1);
    for (std::size_t i = 0; i < dots; ++i) text += "./";
    return text + path.substr(slash + 1);
}

}  // namespace

Modules& Modules::of_process() { return process_wide<Modules>(); }

Modules::Identity Modules::identify(const std::string& path) {
    struct stat s{};
    if (stat(path.c_str(), &s) != 0) refuse("cannot read '" + path + "': " + system_text(errno));
    if (!S_ISREG(s.st_mode)) refuse("'" + path + "' is no regular file; pass the path of a shared object");
    return {s.st_dev, s.st_ino, static_cast<std::uint64_t>(s.st_size), s.st_mtim.tv_sec, s.st_mtim.tv_nsec};
}

// A path text that the dynamic loader has not seen for another file.
std::string Modules::spelling(const std::string& path, const Identity& identity) {
    auto& files = seen_[path];
    if (files.empty()) {
        // Somebody else in this process may have loaded what stood here before: then the plain text is taken already.
        if (void* foreign = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD)) {
            dlclose(foreign);
            files.push_back({});
        }
    }
    const auto found = std::find(files.begin(), files.end(), identity);
    const auto place = static_cast<std::size_t>(found - files.begin());
    if (found == files.end()) files.push_back(identity);
    return spelled(path, place);
}

// For the dynamic loader a file that was written over in place is the one that it has mapped, whose code is now broken.
void Modules::refuse_if_written_over(const std::string& path, const Identity& identity) const {
    for (const Module* module : live_) {
        const Identity& loaded = module->identity;
        if (loaded.device != identity.device || loaded.inode != identity.inode || loaded == identity) continue;
        throw Failure(EAGLE_BACKEND_ERROR, "'" + path + "' was written over while it is loaded from '" + module->path +
                                               "'; unload that module first, and put other code in place by a rename");
    }
}

std::uint64_t Modules::load(const std::filesystem::path& file) {
    std::string path = std::filesystem::absolute(file).string();
    Identity identity = identify(path);
    refuse_truncated(path, identity.bytes);
    std::unique_lock<std::mutex> lock(mutex_);
    refuse_if_written_over(path, identity);
    std::string text = spelling(path, identity);
    lock.unlock();  // the library's own initialisers may do anything
    void* library = open_library(text);
    if (!library) refuse("cannot load '" + path + "': " + loader_text());
    lock.lock();
    live_.reserve(live_.size() + 1);
    std::uint64_t handle = handles_.add();
    if (handle == 0) {
        dlclose(library);
        throw Failure(EAGLE_BACKEND_ERROR, "2^20 modules are loaded; unload some of them");
    }
    Module& module = *handles_.find(handle);
    module.library = library;
    module.path = std::move(path);
    module.identity = identity;
    module.functions.clear();
    live_.push_back(&module);
    return handle;
}

Modules::Module& Modules::of_handle(std::uint64_t handle) {
    if (Module* module = handles_.find(handle)) return *module;
    throw Failure(EAGLE_BACKEND_BAD_HANDLE, handle == 0
                                                ? "the module is null; make one with eagle_backend_sdk_module_load"
                                                : "the module was unloaded or is none of this backend's");
}

void Modules::require_alive(std::uint64_t handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    of_handle(handle);
}

// A symbol of the library itself: the dynamic loader also finds those of the libraries that it needs.
Modules::Symbol Modules::find(const Module& module, const std::string& name) {
    void* address = dlsym(module.library, name.c_str());
    Dl_info info{};
    void *owner = nullptr, *self = nullptr, *entry = nullptr;
    bool ours = address && dladdr1(address, &info, &owner, RTLD_DL_LINKMAP) != 0 &&
                dlinfo(module.library, RTLD_DI_LINKMAP, static_cast<void*>(&self)) == 0 && owner == self &&
                dladdr1(address, &info, &entry, RTLD_DL_SYMENT) != 0 && entry;
    if (!ours) refuse("'" + module.path + "' exports no symbol '" + name + "'");
    const auto& symbol = *static_cast<const ElfW(Sym)*>(entry);
    int type = ELF64_ST_TYPE(symbol.st_info);
    return {reinterpret_cast<std::uint64_t>(address), symbol.st_size, type == STT_FUNC || type == STT_GNU_IFUNC};
}

std::uint64_t Modules::function(std::uint64_t handle, const std::string& name) {
    std::lock_guard<std::mutex> lock(mutex_);
    Module& module = of_handle(handle);
    Symbol symbol = find(module, name);
    if (!symbol.is_function) refuse("'" + name + "' of '" + module.path + "' is a variable, not a function");
    module.functions.push_back(symbol.address);
    return symbol.address;
}

Modules::Global Modules::global(std::uint64_t handle, const std::string& name) {
    std::lock_guard<std::mutex> lock(mutex_);
    Module& module = of_handle(handle);
    Symbol symbol = find(module, name);
    if (symbol.is_function) refuse("'" + name + "' of '" + module.path + "' is a function, not a variable");
    return {symbol.address, symbol.bytes};
}

void Modules::unload(std::uint64_t handle) {
    std::unique_lock<std::mutex> lock(mutex_);
    std::vector<std::uint64_t> functions = of_handle(handle).functions;
    lock.unlock();  // graphs have a lock of their own, which comes first
    for (std::uint64_t function : functions) {
        if (!RecordedGraph::is_function_held(function)) continue;
        throw Failure(EAGLE_BACKEND_BAD_HANDLE,
                      "a live graph launches a function of the module; release the graph and its launchers first");
    }
    lock.lock();
    Module& module = of_handle(handle);
    for (std::uint64_t function : module.functions) Cost::of(function).forget();
    void* library = module.library;
    live_.erase(std::find(live_.begin(), live_.end(), &module));
    handles_.kill(handle);
    handles_.reuse(handle);
    lock.unlock();
    dlclose(library);
}

}  // namespace eagle::host
