#include "artifact/LayoutCheck.h"

#include <eagle/Memory.h>
#include <eagle/Stream.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace eagle::artifact {
namespace {

struct Field {
    const char* name;
    std::uint64_t size;
};
constexpr std::array<Field, 5> fields = {
    {{"vector view", 40}, {"float view", 32}, {"int view", 32}, {"nsamples", 4}, {"partition triple", 24}}};

[[noreturn]] void refuse(const Module& module, const std::string& what) {
    throw InvalidArgument(module.path().string() + ": " + what + "; build the artifact again for this eagle");
}

// The bytes of a global, at most `most` of them, wherever the backend keeps it.
std::vector<char> read_global(const Module& module, const char* name, std::uint64_t most, std::int32_t device) {
    const auto global = module.global(name);
    if (!global) refuse(module, std::string("does not export '") + name + "'");
    std::vector<char> out(std::min(global->bytes, most));
    if (module.backend().takes_host_files()) {  // whose variables are the host's
        std::memcpy(out.data(), reinterpret_cast<const void*>(global->address), out.size());
    } else {
        Stream stream(module.backend(), device);
        copy(module.backend(), reinterpret_cast<std::uint64_t>(out.data()), global->address, out.size(),
             CopyKind::device_to_host, stream.native());
        stream.synchronize();
    }
    return out;
}

// An entry of device code that says by its name what the variables say: compilers of CUDA give variables no global
// symbol, and entries one.
std::string mark_of(const std::string& tag) {
    std::string name = "eagle_abi_" + tag.substr(tag.rfind('/') + 1) + "_layout";
    for (const Field& field : fields) name.append("_").append(std::to_string(field.size));
    return name;
}

bool is_marked(const Module& module, const std::string& tag) {
    try {
        return module.function(mark_of(tag)) != 0;
    } catch (const InvalidArgument&) {  // it has none
        return false;
    }
}

}  // namespace

void check_layout(const Module& module, const std::string& tag, std::int32_t device) {
    const bool has_variables = module.global("eagle_abi_tag") || module.global("eagle_layout_sizes");
    if (!has_variables && !module.backend().takes_host_files() && is_marked(module, tag)) return;
    std::vector<char> found = read_global(module, "eagle_abi_tag", 64, device);
    found.push_back('\0');
    if (tag != found.data())
        refuse(module, "eagle_abi_tag is '" + std::string(found.data()) + "', the manifest says '" + tag + "'");

    const std::vector<char> sizes =
        read_global(module, "eagle_layout_sizes", sizeof(std::uint64_t) * fields.size(), device);
    if (sizes.size() != sizeof(std::uint64_t) * fields.size())
        refuse(module,
               "eagle_layout_sizes has " + std::to_string(sizes.size()) + " bytes, 40 are needed (5 numbers of 8)");
    for (std::size_t i = 0; i < fields.size(); ++i) {
        std::uint64_t size = 0;
        std::memcpy(&size, sizes.data() + i * sizeof size, sizeof size);
        if (size != fields[i].size)
            refuse(module, "eagle_layout_sizes gives the " + std::string(fields[i].name) + " " + std::to_string(size) +
                               " bytes, this eagle has " + std::to_string(fields[i].size));
    }
}

}  // namespace eagle::artifact
