#include <dlfcn.h>
#include <link.h>

#include "trace/Entries.h"

namespace eagle::trace {

bool is_code(std::uint64_t function) {
    const auto look = [](dl_phdr_info* info, std::size_t, void* raw) {
        const std::uint64_t address = *static_cast<const std::uint64_t*>(raw);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& part = info->dlpi_phdr[i];
            const std::uint64_t begin = info->dlpi_addr + part.p_vaddr;
            if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0 && address >= begin &&
                address - begin < part.p_memsz)
                return 1;
        }
        return 0;
    };
    return dl_iterate_phdr(look, &function) != 0;
}

std::string symbol_of(std::uint64_t function) {
    Dl_info info{};
    if (!is_code(function) || dladdr(reinterpret_cast<void*>(function), &info) == 0) return {};
    const bool exact = reinterpret_cast<std::uint64_t>(info.dli_saddr) == function;
    return exact && info.dli_sname != nullptr ? info.dli_sname : "";
}

}  // namespace eagle::trace
