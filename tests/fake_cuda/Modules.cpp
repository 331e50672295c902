// Modules. A CUDA fat binary gives the kernels that are linked into this library; an ELF file of this machine is opened
// and gives its own; other images are refused as the driver refuses what is not for its device.
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "Entry.h"

namespace fake_cuda {
namespace {

constexpr std::uint32_t fat_binary = 0xba55ed50u;
#if defined(__x86_64__)
constexpr std::uint16_t this_machine = EM_X86_64;
#else
constexpr std::uint16_t this_machine = EM_AARCH64;
#endif

// The section headers end the files that linkers write.
std::size_t size_of_elf(const Elf64_Ehdr& header) {
    return header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
}

void* open_elf(const Elf64_Ehdr& header) {
    int file = memfd_create("fake_cuda_module", MFD_CLOEXEC);
    if (file < 0) return nullptr;
    const auto* bytes = reinterpret_cast<const char*>(&header);
    std::size_t left = size_of_elf(header);
    void* library = nullptr;
    while (left > 0) {
        ssize_t written = write(file, bytes, left);
        if (written <= 0) break;
        bytes += written;
        left -= static_cast<std::size_t>(written);
    }
    if (left == 0) library = dlopen(("/proc/self/fd/" + std::to_string(file)).c_str(), RTLD_NOW | RTLD_LOCAL);
    // The system's loader knows a library by its path, so that the number must not be given out again.
    if (!library) close(file);
    return library;
}

// PTX 9.0 is that of CUDA 13.0, 9.1 of 13.1. Text ends with a zero byte.
bool is_ptx_of_a_newer_toolkit(const char* text) {
    if (std::strncmp(text, "//", 2) != 0 && std::strncmp(text, ".version", 8) != 0) return false;
    unsigned major = 0, minor = 0;
    const char* version = std::strstr(text, ".version ");
    if (!version || std::sscanf(version, ".version %u.%u", &major, &minor) != 2) return false;
    const unsigned known = static_cast<unsigned>(settings().version);
    return 1000 * (major + 4) + 10 * minor > known;
}

CUresult load(CUmodule* out, const void* image) {
    Lock lock(state().mutex);
    if (CUresult refused = require_no_unsafe_call()) return refused;
    std::uint32_t magic = 0;
    std::memcpy(&magic, image, sizeof magic);
    void* library = nullptr;
    if (magic != fat_binary) {
        if (is_ptx_of_a_newer_toolkit(static_cast<const char*>(image))) return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
        if (std::memcmp(image, ELFMAG, SELFMAG) != 0) return CUDA_ERROR_INVALID_IMAGE;
        Elf64_Ehdr header;
        std::memcpy(&header, image, sizeof header);
        if (header.e_machine != this_machine) return CUDA_ERROR_NO_BINARY_FOR_GPU;
        lock.unlock();  // initialisers of the file may run
        library = open_elf(*static_cast<const Elf64_Ehdr*>(image));
        lock.lock();
        if (!library) return CUDA_ERROR_INVALID_IMAGE;
    }
    *out = new CUmod_st;
    (*out)->library = library;
    (*out)->context = current_context;
    state().modules.insert(*out);
    return CUDA_SUCCESS;
}

CUresult load_data(CUmodule* out, const void* image) {
    FAKE_CUDA_ENTER(cuModuleLoadData, context);
    return load(out, image);
}

CUresult load_data_with_options(CUmodule* out, const void* image, unsigned, CUjit_option*, void**) {
    FAKE_CUDA_ENTER(cuModuleLoadDataEx, context);
    return load(out, image);
}

// The files stay open: a worker may be behind their code.
CUresult unload(CUmodule module) {
    FAKE_CUDA_ENTER_LATE(cuModuleUnload, context);
    Lock lock(state().mutex);
    if (CUresult refused = require_no_unsafe_call()) return refused;
    if (!state().modules.erase(module)) return CUDA_ERROR_INVALID_HANDLE;
    wait_for_all(lock, current_context->device);
    delete module;
    return late;
}

CUresult function_of(CUfunction* out, CUmodule module, const char* name) {
    FAKE_CUDA_ENTER(cuModuleGetFunction, context);
    Lock lock(state().mutex);
    if (!state().modules.count(module)) return CUDA_ERROR_INVALID_HANDLE;
    auto& function = module->functions[name];
    if (!function) {
        const Kernel* kernel = nullptr;
        if (module->library) {
            std::string symbol = std::string(FAKE_CUDA_KERNEL_PREFIX) + name;
            kernel = static_cast<const Kernel*>(dlsym(module->library, symbol.c_str()));
        } else {
            kernel = find_built_in(name);
            if (!kernel) kernel = find_built_in_of_graphs(name);
        }
        if (!kernel) {
            module->functions.erase(name);
            return CUDA_ERROR_NOT_FOUND;
        }
        function = std::make_unique<CUfunc_st>(CUfunc_st{kernel, module});
    }
    *out = function.get();
    return CUDA_SUCCESS;
}

CUresult global_of(CUdeviceptr* address, std::size_t* bytes, CUmodule module, const char* name) {
    FAKE_CUDA_ENTER(cuModuleGetGlobal, context);
    Lock lock(state().mutex);
    if (!state().modules.count(module)) return CUDA_ERROR_INVALID_HANDLE;
    void* found = module->library ? dlsym(module->library, name) : nullptr;
    Dl_info info{};
    const Elf64_Sym* symbol = nullptr;
    if (!found || !dladdr1(found, &info, reinterpret_cast<void**>(const_cast<Elf64_Sym**>(&symbol)), RTLD_DL_SYMENT) ||
        !symbol) {
        return CUDA_ERROR_NOT_FOUND;
    }
    if (address) *address = reinterpret_cast<CUdeviceptr>(found);
    if (bytes) *bytes = symbol->st_size;
    return CUDA_SUCCESS;
}

CUresult function_attribute(int* value, CUfunction_attribute attribute, CUfunction) {
    FAKE_CUDA_ENTER(cuFuncGetAttribute, context);
    *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 0;
    return CUDA_SUCCESS;
}

CUresult set_function_attribute(CUfunction function, CUfunction_attribute attribute, int value) {
    FAKE_CUDA_ENTER(cuFuncSetAttribute, context);
    constexpr int most_of_a_block = 227 * 1024;  // of compute capability 9.0
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 || value > most_of_a_block)
        return CUDA_ERROR_INVALID_VALUE;
    Lock lock(state().mutex);
    function->most_shared = static_cast<unsigned>(value);
    return CUDA_SUCCESS;
}

CUresult parameter_info(CUfunction function, std::size_t index, std::size_t* offset, std::size_t* size) {
    FAKE_CUDA_ENTER(cuFuncGetParamInfo, context);
    if (index >= function->kernel->parameters) return CUDA_ERROR_INVALID_VALUE;
    std::size_t at = 0;
    for (std::size_t i = 0; i <= index; ++i) {
        std::size_t bytes = function->kernel->sizes[i], align = bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
        at = (at + align - 1) / align * align;
        if (i < index) at += bytes;
    }
    *offset = at;
    if (size) *size = function->kernel->sizes[index];
    return CUDA_SUCCESS;
}

}  // namespace

std::vector<Entry> module_entries() {
    return {
        FAKE_CUDA_ENTRY(cuModuleLoadData, 2000, load_data),
        FAKE_CUDA_ENTRY(cuModuleLoadDataEx, 2010, load_data_with_options),
        FAKE_CUDA_ENTRY(cuModuleUnload, 2000, unload),
        FAKE_CUDA_ENTRY(cuModuleGetFunction, 2000, function_of),
        FAKE_CUDA_ENTRY(cuModuleGetGlobal, 3020, global_of),
        FAKE_CUDA_ENTRY(cuFuncGetAttribute, 2020, function_attribute),
        FAKE_CUDA_ENTRY(cuFuncSetAttribute, 9000, set_function_attribute),
        FAKE_CUDA_ENTRY(cuFuncGetParamInfo, 12040, parameter_info),
    };
}

}  // namespace fake_cuda
