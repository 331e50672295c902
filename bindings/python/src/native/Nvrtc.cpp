#include "Nvrtc.h"

#include <dlfcn.h>
#include <eagle/Error.h>

#include <filesystem>

namespace hawk::native {

using eagle::InvalidArgument;

// The part of its interface that is used. A result of 0 is success.
struct Nvrtc::Functions {
    using Program = void*;
    int (*version)(int*, int*) = nullptr;
    int (*archs_count)(int*) = nullptr;
    int (*archs)(int*) = nullptr;
    int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*destroy)(Program*) = nullptr;
    int (*compile)(Program, int, const char* const*) = nullptr;
    int (*log_size)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*cubin_size)(Program, std::size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
    int (*ptx_size)(Program, std::size_t*) = nullptr;
    int (*ptx)(Program, char*) = nullptr;
};

namespace {

// NVRTC opens its library of built-in functions by a bare name, which is found only when it is loaded already.
void open_builtins(const std::filesystem::path& beside) {
    std::error_code unknown;
    for (const auto& entry : std::filesystem::directory_iterator(beside, unknown)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("libnvrtc-builtins.so")) dlopen(entry.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    }
}

template <class F>
void find(void* library, const std::string& path, const char* name, F*& function) {
    function = reinterpret_cast<F*>(dlsym(library, name));
    if (function == nullptr)
        throw InvalidArgument("'" + path + "' has no " + name + ", so it is no NVRTC that hawk can use; take one of " +
                              "CUDA 12 or newer");
}

using Size = int (*)(void*, std::size_t*);
using Get = int (*)(void*, char*);

std::string text_of(void* program, Size size, Get get) {
    std::size_t bytes = 0;
    if (size(program, &bytes) != 0) return {};
    std::string out(bytes, '\0');
    if (get(program, out.data()) != 0) return {};
    return out;
}

}  // namespace

Nvrtc::Nvrtc(const std::string& path) {
    open_builtins(std::filesystem::path(path).parent_path());
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* const reason = dlerror();
        throw InvalidArgument("cannot open '" + path + "': " + (reason != nullptr ? reason : "no reason given") +
                              "; it needs the libnvrtc of CUDA 12 or newer");
    }
    Functions f;
    find(library, path, "nvrtcVersion", f.version);
    find(library, path, "nvrtcGetNumSupportedArchs", f.archs_count);
    find(library, path, "nvrtcGetSupportedArchs", f.archs);
    find(library, path, "nvrtcCreateProgram", f.create);
    find(library, path, "nvrtcDestroyProgram", f.destroy);
    find(library, path, "nvrtcCompileProgram", f.compile);
    find(library, path, "nvrtcGetProgramLogSize", f.log_size);
    find(library, path, "nvrtcGetProgramLog", f.log);
    find(library, path, "nvrtcGetCUBINSize", f.cubin_size);
    find(library, path, "nvrtcGetCUBIN", f.cubin);
    find(library, path, "nvrtcGetPTXSize", f.ptx_size);
    find(library, path, "nvrtcGetPTX", f.ptx);
    f_ = new Functions(f);
}

int Nvrtc::version() const {
    int major = 0, minor = 0;
    f_->version(&major, &minor);
    return 1000 * major + 10 * minor;
}

std::vector<int> Nvrtc::archs() const {
    int count = 0;
    if (f_->archs_count(&count) != 0) return {};
    std::vector<int> out(static_cast<std::size_t>(count));
    if (f_->archs(out.data()) != 0) return {};
    return out;
}

Nvrtc::Outcome Nvrtc::compile(const std::string& source, const std::string& name,
                              const std::vector<std::string>& options, bool to_ptx) const {
    Functions::Program program = nullptr;
    Outcome out;
    if (const int code = f_->create(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr); code != 0) {
        out.log = "nvrtcCreateProgram gives code " + std::to_string(code);
        return out;
    }
    std::vector<const char*> words;
    for (const std::string& option : options) words.push_back(option.c_str());
    const int code = f_->compile(program, static_cast<int>(words.size()), words.data());
    out.log = text_of(program, f_->log_size, f_->log);
    while (!out.log.empty() && out.log.back() == '\0') out.log.pop_back();
    if (code == 0) {
        out.code = to_ptx ? text_of(program, f_->ptx_size, f_->ptx) : text_of(program, f_->cubin_size, f_->cubin);
        out.is_made = !out.code.empty();
    } else if (out.log.empty()) {
        out.log = "nvrtcCompileProgram gives code " + std::to_string(code);
    }
    f_->destroy(&program);
    return out;
}

}  // namespace hawk::native
